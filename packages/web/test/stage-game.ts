import assert from 'node:assert/strict';
import type { PublishOptions } from '@spaceport/client/publish';
import type { Answer, PageEvent, Welcome } from '@spaceport/contract/sdk-protocol';
import type { Frame, Page } from 'playwright-core';
import { type Files, publishFiles, publishLive } from '../../server/test/files.ts';
import type { Persona, TestService } from '../../server/test/service.ts';
import { shownSpace } from './seed.ts';
import { keysGiven } from './walk.ts';

/** What the game has in its window. It sends the protocol's messages itself and keeps those that it hears. */
interface GameWindow {
  readonly welcomes: Welcome['welcome'][];
  readonly events: PageEvent[];
  readonly keys: string[];
  ask(method: string, ...given: unknown[]): Promise<Answer>;
  tell(method: string, ...given: unknown[]): void;
  send(message: unknown): void;
}
declare const game: GameWindow;

/** Returns a game that only talks to the page around it. `app` is the origin of that page. */
function stageGame(app: string): Files {
  return {
    'index.html': `<!doctype html><title>Stage</title>
<style>html,body{margin:0;height:100%;background:linear-gradient(#10131f,#3a3f8f)}canvas{display:block;width:100%;height:100%}</style>
<canvas></canvas><script src="game.js"></script>`,
    'game.js': `const app = ${JSON.stringify(app)};
const waiting = new Map();
let port, count = 0;
globalThis.game = {
  welcomes: [], events: [], keys: [],
  ask: (m, ...a) => new Promise((resolve) => {
    const id = ++count;
    waiting.set(id, resolve);
    port.postMessage({ id, m, a });
  }),
  tell: (m, ...a) => port.postMessage({ m, a }),
  send: (message) => port.postMessage(message),
};
addEventListener('message', ({ origin, source, data, ports }) => {
  if (origin !== app || source !== parent || !data.welcome) return;
  clearInterval(asking);
  port = ports[0];
  port.onmessage = ({ data }) => {
    if ('ev' in data) game.events.push(data);
    else { waiting.get(data.id)?.(data); waiting.delete(data.id); }
  };
  game.welcomes.push(data.welcome);
});
addEventListener('keyup', ({ code }) => game.keys.push(code));
const hello = { spaceport: 1, hello: { versions: [1], version: 1, load: String(Math.random()) } };
const asking = setInterval(() => parent.postMessage(hello, app), 100);
parent.postMessage(hello, app);`,
  };
}

/** Polls in milliseconds, because a frame that is scrolled out of sight gets no animation frames. */
const often = { polling: 100 };

/** The boards, stats and achievements of the game. */
const declared = {
  sdk: false,
  boards: [{ key: 'points', title: 'Points' }],
  stats: [{ key: 'jumps', op: 'add' }],
  achievements: [
    { key: 'first', title: 'First light', points: 10 },
    { key: 'jumper', title: 'Jumper', points: 5, trigger: { stat: 'jumps', atLeast: 3 } },
  ],
} satisfies Partial<PublishOptions['details']>;

type Details = Partial<PublishOptions['details']>;

/** Publishes the game live. Returns its slug. */
export async function publishStage(
  service: TestService,
  creator: Persona,
  details: Details = {},
): Promise<string> {
  const { space } = await publishLive(service, creator, stageGame(service.baseUrl), {
    ...(details.space === undefined ? { fields: shownSpace } : {}),
    ...declared,
    ...details,
  });
  return space.slug;
}

/** Publishes the game as a preview. Returns the address of the page that frames it. */
export async function publishStagePreview(
  service: TestService,
  creator: Persona,
  details: Details = {},
): Promise<string> {
  const { previewPageUrl } = await publishFiles(creator, stageGame(service.baseUrl), {
    ...(details.space === undefined ? { fields: shownSpace } : {}),
    ...declared,
    ...details,
  });
  return previewPageUrl ?? '';
}

export interface PlayedGame {
  readonly frame: Frame;
  ask(method: string, ...given: unknown[]): Promise<Answer>;
  /** Returns the page's answer. @throws an error if the call was refused */
  get<Value = Record<string, unknown>>(method: string, ...given: unknown[]): Promise<Value>;
  /** Returns the code with which a call is refused, undefined if it is accepted. */
  code(method: string, ...given: unknown[]): Promise<string | undefined>;
  tell(method: string, ...given: unknown[]): Promise<void>;
  welcome(): Promise<Welcome['welcome']>;
  /** Waits for an event. Returns its data. */
  heard(name: PageEvent['ev']): Promise<unknown>;
  /** Returns all events that were heard, in order. */
  events(): Promise<PageEvent[]>;
  /** Forgets the events that were heard. */
  forget(): Promise<void>;
  /** Presses keys, and checks that the game hears them. */
  hears(...keys: string[]): Promise<void>;
}

/** Returns the game that runs on a page, once the page has welcomed it. */
export async function playedGame(page: Page): Promise<PlayedGame> {
  await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
  const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
  assert.ok(frame);
  // The parser may have reached the canvas, but not yet the script behind it.
  await frame.waitForFunction(() => typeof game !== 'undefined' && game.welcomes.length > 0, null, often);
  const ask: PlayedGame['ask'] = (method, ...given) =>
    frame.evaluate(([m, a]) => game.ask(m, ...a), [method, given] as const);
  return {
    frame,
    ask,
    async get<Value>(method: string, ...given: unknown[]) {
      const answer = await ask(method, ...given);
      if (!('ok' in answer)) throw new Error(`${method}: ${JSON.stringify(answer.err)}`);
      return answer.ok as Value;
    },
    async code(method, ...given) {
      const answer = await ask(method, ...given);
      return 'err' in answer ? answer.err.code : undefined;
    },
    tell: (method, ...given) => frame.evaluate(([m, a]) => game.tell(m, ...a), [method, given] as const),
    welcome: () => frame.evaluate(() => game.welcomes.at(-1) as Welcome['welcome']),
    async heard(name) {
      await frame.waitForFunction((wanted) => game.events.some(({ ev }) => ev === wanted), name, often);
      return frame.evaluate((wanted) => game.events.findLast(({ ev }) => ev === wanted)?.d, name);
    },
    events: () => frame.evaluate(() => game.events),
    forget: () =>
      frame.evaluate(() => {
        game.events.length = 0;
      }),
    async hears(...keys) {
      await keysGiven(page);
      await frame.waitForFunction(() => document.hasFocus(), null, often);
      await frame.evaluate(() => {
        game.keys.length = 0;
      });
      for (const key of keys) await page.keyboard.press(key);
      await frame.waitForFunction((wanted) => game.keys.length === wanted, keys.length, often);
      assert.deepEqual(await frame.evaluate(() => game.keys), keys);
    },
  };
}
