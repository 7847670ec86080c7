import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { runDemo } from '../../server/test/run-demo.ts';
import type { Persona, TestService } from '../../server/test/service.ts';
import { leaveUndrawn } from './undrawn.ts';
import { takenOver } from './walk.ts';

/** The state that Mothlight shows in its window. */
declare const mothlight: {
  readonly screen: 'title' | 'play' | 'over';
  readonly screenSeconds: number;
  readonly paused: boolean;
  readonly best: number;
  readonly flight: { readonly lit: number; readonly score: number; readonly seconds: number };
};
/** The pilot of the title screen. Here it says when the player's button must be down. */
declare const pilotHolds: (flight: unknown) => boolean;

interface GameFrames {
  hold(): Promise<void>;
  step(): void;
  goOn(): void;
}
declare const gameFrames: GameFrames;

/** Makes `waitForFunction` poll in milliseconds instead of waiting for frames. */
export const often = { polling: 50 };

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Publishes the game as `npm run demo` does. Returns its slug. */
export async function publishMothlight(service: TestService): Promise<string> {
  await runDemo(service, 'mothlight');
  return 'mothlight';
}

/** Publishes a copy as a preview. Returns the address of the page that frames it. */
export async function previewMothlight(service: TestService, { token }: Persona): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-test-'));
  try {
    await cp(join(root, 'examples/mothlight'), folder, { recursive: true });
    const args = [join(root, 'packages/cli/bin/spaceport.mjs'), 'publish', folder, '--json'];
    const env = { ...process.env, SPACEPORT_SERVER: service.baseUrl, SPACEPORT_TOKEN: token };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return JSON.parse(stdout).previewPageUrl;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The button of the game, on any device. */
export interface OneButton {
  down(): Promise<void>;
  up(): Promise<void>;
}

export interface Mothlight {
  readonly page: Page;
  readonly frame: Frame;
  /**
   * Plays a flight that lights this many lanterns and then falls into the tide. Returns its score, once the
   * game shows it.
   */
  fly(button: OneButton, lanterns: number): Promise<number>;
  /** Begins a flight, as `fly` does. The button stays down. */
  takeOff(button: OneButton): Promise<void>;
  /** Plays a flight that has begun, to its end. Returns its score. */
  flyOn(button: OneButton, lanterns: number): Promise<number>;
  /** Stops the game until `flyOn`. */
  hold(): Promise<void>;
  /** Waits until the card after a flight says this. */
  says(words: string | RegExp): Promise<void>;
}

/**
 * Gives the test control of the game's frames while it flies, so that a slow machine flies the same way:
 * between two frames the game stands still, and the button is pressed. The rest of the time the browser draws
 * as usual.
 */
async function takeFrames(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window === window.parent) return;
    const request = window.requestAnimationFrame.bind(window);
    let isHeld = false;
    let waiting: FrameRequestCallback | undefined;
    let atMs = 0;
    // The frames of two minutes of play. If they are reached, the game does not hear the button.
    const mostSteps = 7_200;
    let steps = 0;
    window.requestAnimationFrame = (callback) => {
      if (!isHeld) return request(callback);
      waiting = callback;
      return 0;
    };
    const frames: GameFrames = {
      hold: () =>
        new Promise((resolve) => {
          steps = 0;
          if (isHeld) return resolve();
          isHeld = true;
          // Waits for the frame that was requested before.
          request(() => resolve());
        }),
      step() {
        if (waiting === undefined || mothlight.paused || ++steps > mostSteps)
          throw new Error(
            `the game stands still (${JSON.stringify({ ...mothlight, flight: { ...mothlight.flight, lanterns: [], dew: [], burrs: [] } })})`,
          );
        atMs = Math.max(atMs, performance.now()) + 1_000 / 60;
        const callback = waiting;
        waiting = undefined;
        callback(atMs);
      },
      goOn() {
        isHeld = false;
        if (waiting) request(waiting);
        waiting = undefined;
      },
    };
    Object.assign(window, { gameFrames: frames });
  });
}

/** Opens a page that frames the game, and waits until the game knows its player. */
export async function openMothlight(context: BrowserContext, url: string): Promise<Mothlight> {
  // Must come before `takeFrames`, so that a step of the game does not wait for a frame.
  await leaveUndrawn(context);
  await takeFrames(context);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(url);
  await takenOver(page);
  return mothlightOn(page);
}

async function mothlightOn(page: Page): Promise<Mothlight> {
  const game = page.frameLocator('iframe');
  await game.locator('#sky').waitFor();
  const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
  assert.ok(frame);
  await frame.waitForFunction(() => typeof mothlight === 'object', null, often);
  await frame.evaluate('Spaceport.ready()');
  await frame.evaluate(async () => {
    const { pilotHolds: holds } = await import(new URL('src/pilot.js', location.href).href);
    Object.assign(globalThis, { pilotHolds: holds });
  });

  const takeOff = async (button: OneButton) => {
    // The game ignores earlier presses, because they may have been meant for the flight.
    await frame.waitForFunction(
      () => mothlight.screen !== 'over' || mothlight.screenSeconds > 0.8,
      null,
      often,
    );
    await button.down();
    await frame.waitForFunction(() => mothlight.screen === 'play', null, often);
  };
  const flyOn = async (button: OneButton, lanterns: number) => {
    // The browser draws no frames for a frame that is scrolled out of sight.
    await page.locator('iframe').scrollIntoViewIfNeeded();
    await frame.evaluate(() => gameFrames.hold());
    let isDown = true;
    for (;;) {
      const isTurn = await frame.evaluate(
        ([down, enough]) => {
          for (;;) {
            const { screen, flight } = mothlight;
            if (screen !== 'play' || flight.lit >= enough) return false;
            if (pilotHolds(flight) !== down) return true;
            gameFrames.step();
          }
        },
        [isDown, lanterns] as const,
      );
      if (!isTurn) break;
      isDown = !isDown;
      await (isDown ? button.down() : button.up());
    }
    if (isDown) await button.up();
    await frame.evaluate(() => {
      while (mothlight.screen === 'play') gameFrames.step();
      gameFrames.goOn();
    });
    const shown = await game.locator('#over-score').textContent();
    const score = await frame.evaluate(() => mothlight.flight.score);
    assert.equal(shown, score.toLocaleString('en-US'));
    return score;
  };
  return {
    page,
    frame,
    takeOff,
    flyOn,
    hold: () => frame.evaluate(() => gameFrames.hold()),
    async fly(button, lanterns) {
      await takeOff(button);
      return flyOn(button, lanterns);
    },
    says: (words) => game.locator('#over-notes').filter({ hasText: words }).waitFor(),
  };
}

/** The space bar, pressed at whatever has the focus. */
export function spaceBar(page: Page): OneButton {
  return { down: () => page.keyboard.down('Space'), up: () => page.keyboard.up('Space') };
}

/** A finger on the middle of the game. */
export async function finger(page: Page): Promise<OneButton> {
  const session = await page.context().newCDPSession(page);
  const touch = async (type: 'touchStart' | 'touchEnd') => {
    const box = await page.locator('iframe').boundingBox();
    assert.ok(box);
    const touchPoints = type === 'touchEnd' ? [] : [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
    await session.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  return { down: () => touch('touchStart'), up: () => touch('touchEnd') };
}

/** Plugs a gamepad in, for every document that the context opens from now on. */
export async function plugIn(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const pressed = { down: false };
    const pad = {
      id: 'Test pad',
      connected: true,
      buttons: Array.from({ length: 17 }, (_, index) => ({
        get pressed() {
          return index === 0 && pressed.down;
        },
      })),
      axes: [0, 0, 0, 0],
    };
    Object.assign(window, { padButton: pressed });
    navigator.getGamepads = () => [pad as unknown as Gamepad];
  });
}

/** The first button of the gamepad of `plugIn`. */
export function padButton({ frame }: Pick<Mothlight, 'frame'>): OneButton {
  const set = (down: boolean) =>
    frame.evaluate((isDown) => {
      Reflect.get(window, 'padButton').down = isDown;
    }, down);
  return { down: () => set(true), up: () => set(false) };
}
