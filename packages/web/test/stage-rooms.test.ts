import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Frame, Page, Route } from 'playwright-core';
import { askUntil } from '../../server/test/ask-until.ts';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { nobodyPlayer } from '../../server/test/played.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { game, shownSpace } from './seed.ts';
import { listen, openContext, takenOver } from './walk.ts';

interface Member {
  readonly id: string;
  readonly host: boolean;
  readonly you: boolean;
}
interface Room {
  readonly code: string;
  readonly link: string;
  members(): Member[];
  send(data: unknown, to?: string): void;
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  kick(id: string): void;
  leave(): void;
  on(event: string, listener: (...given: unknown[]) => void): void;
}
/** The parts of the player module that this test uses, and what a game keeps of them. */
declare const Spaceport: {
  ready(): Promise<void>;
  on(event: 'invited', listener: (code: string) => void): void;
  saves: { get(slot: string): Promise<unknown> };
  rooms: {
    create(options?: { max?: number; open?: boolean }): Promise<Room>;
    join(code: string): Promise<Room>;
    invited(): string | null;
    lobby(on: boolean): void;
  };
};
declare const here: { room: Room; heard: unknown[][] };

const often = { polling: 100 };

describe('a room with two browsers', () => {
  let service: TestService;
  let browser: Browser;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const creator = await service.creator('mira');
    ({ slug } = (await publishLive(service, creator, game, { fields: shownSpace })).space);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens an address of the space as a visitor. `prepare` gets the page before that. */
  async function visitor(
    url: string,
    prepare: (page: Page) => Promise<unknown> = async () => {},
  ): Promise<{ page: Page; frame: Frame; complaints: string[] }> {
    const context = await openContext(browser, { device: 'desktop', scheme: 'light' }, { url });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await prepare(page);
    const complaints = listen(page);
    await page.goto(url);
    await takenOver(page);
    await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
    const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
    assert.ok(frame);
    await frame.evaluate(() => Spaceport.ready());
    return { page, frame, complaints };
  }

  /** Opens an address of the space, and joins or opens a room from its frame. */
  async function player(url: string) {
    const opened = await visitor(url);
    await opened.frame.evaluate(async () => {
      const code = Spaceport.rooms.invited();
      const room = code === null ? await Spaceport.rooms.create() : await Spaceport.rooms.join(code);
      const heard: unknown[][] = [];
      for (const event of ['message', 'state', 'join', 'leave', 'host', 'closed'])
        room.on(event, (...given) => heard.push([event, ...given]));
      Object.assign(globalThis, { here: { room, heard } });
    });
    return opened;
  }

  const heard = (frame: Frame, event: string) =>
    frame.waitForFunction((wanted) => here.heard.some(([name]) => name === wanted), event, often);

  it('is entered by its link, passes on messages, and is shown on the page', async () => {
    const one = await player(`${service.baseUrl}/s/${slug}`);
    const { code, link } = await one.frame.evaluate(() => ({ code: here.room.code, link: here.room.link }));
    await one.page.getByRole('button', { name: 'Invite' }).click();
    const dialog = one.page.getByRole('dialog');
    await dialog.getByRole('img', { name: `QR code of ${link}` }).waitFor();
    assert.equal(await dialog.getByLabel('Code of the room').inputValue(), code);
    assert.equal(await dialog.getByLabel('Address').inputValue(), link);
    await one.page.keyboard.press('Escape');

    const two = await player(link);
    await heard(one.frame, 'join');
    for (const { page } of [one, two]) {
      const inside = page.getByRole('region', { name: `Room ${code}` });
      await inside.getByText('2 of 8 players').waitFor();
      assert.deepEqual(
        (await inside.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' ')),
        page === one.page ? ['G A guest you, host', 'G A guest'] : ['G A guest host', 'G A guest you'],
      );
    }
    await two.frame.evaluate(() => {
      here.room.set('level', { at: 3 });
      here.room.send({ hop: 1 }, 'host');
      here.room.send(Uint8Array.of(1, 2));
    });
    await one.frame.waitForFunction(
      () => here.heard.filter(([name]) => name === 'message').length === 2,
      null,
      often,
    );
    const got = await one.frame.evaluate(() =>
      here.heard.map(([name, ...given]) => [
        name,
        given.map((each) => (each instanceof Uint8Array ? [...each] : each)),
      ]),
    );
    const from = await two.frame.evaluate(() => here.room.members().find(({ you }) => you)?.id);
    assert.deepEqual(got.slice(1), [
      ['state', ['level', { at: 3 }]],
      ['message', [{ hop: 1 }, from]],
      ['message', [[1, 2], from]],
    ]);
    assert.deepEqual(await one.frame.evaluate(() => here.room.get('level')), { at: 3 });
    assert.deepEqual(
      await two.frame.evaluate(() => here.room.members().map(({ host, you }) => [host, you])),
      [
        [true, false],
        [false, true],
      ],
    );

    await one.frame.evaluate(() => here.room.leave());
    await heard(two.frame, 'host');
    await one.page.getByRole('button', { name: 'Share' }).waitFor();
    assert.deepEqual([one.complaints, two.complaints], [[], []]);
    await Promise.all([one.page.context().close(), two.page.context().close()]);
  });

  it('is shown with its members, however long the way into it takes', async () => {
    const held = Promise.withResolvers<void>();
    const { page, frame, complaints } = await visitor(`${service.baseUrl}/s/${slug}`, (before) =>
      before.routeWebSocket(/\/api\/player\/rooms\//u, async (socket) => {
        await held.promise;
        socket.connectToServer();
      }),
    );
    const entered = frame.evaluate(async () => void (await Spaceport.rooms.create()));
    const inside = page.getByRole('region', { name: /^Room / });
    await inside.waitFor();
    // Longer than the page waits after a change.
    await pause(1_000);
    held.resolve();
    await entered;
    await inside.getByText('1 of 8 players').waitFor();
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('is shown until it is left, also if the player is in another one meanwhile', async () => {
    const { page, frame, complaints } = await visitor(`${service.baseUrl}/s/${slug}`);
    const create = () => frame.evaluateHandle(() => Spaceport.rooms.create({ max: 4 }));
    const [first, second, third, fourth] = [await create(), await create(), await create(), await create()];
    const shows = async (room: typeof first) => {
      const inside = page.getByRole('region', { name: `Room ${await room.evaluate(({ code }) => code)}` });
      await inside.getByText('1 of 4 players').waitFor();
      await page.getByRole('button', { name: 'Invite' }).waitFor();
    };
    await third.evaluate((room) => room.leave());
    await shows(fourth);
    await fourth.evaluate((room) => room.leave());
    await shows(second);
    assert.deepEqual(complaints, []);
    await frame.evaluate(
      ([one, other]) => {
        // Calls up to the limit of a second, so that the page is told later.
        for (let count = 0; count < 30; count++) void Spaceport.saves.get('slot').catch(() => {});
        one.leave();
        other.leave();
      },
      [second, first] as const,
    );
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await page.context().close();
  });

  it('is read again by a page whose question came too early', async () => {
    let asked = 0;
    const { page, frame } = await visitor(`${service.baseUrl}/s/${slug}`, (before) =>
      before.route(/\/api\/player\/rooms\/\w/u, async (route) => {
        asked += 1;
        if (asked > 2) await route.continue();
        else await route.fulfill({ status: 404, json: { error: { code: 'not_found' } } });
      }),
    );
    await frame.evaluate(async () => void (await Spaceport.rooms.create()));
    await page.getByText('1 of 8 players').waitFor();
    await page.context().close();
  });

  it('is not read any more by a page whose player has left it', async () => {
    const { page, frame, complaints } = await visitor(`${service.baseUrl}/s/${slug}`);
    const asked = Promise.withResolvers<Route>();
    await page.route(/\/api\/player\/rooms\/\w/u, (route) => asked.resolve(route));
    await frame.evaluate(async () => {
      Object.assign(globalThis, { here: { room: await Spaceport.rooms.create(), heard: [] } });
    });
    const read = await asked.promise;
    const isIt = (each: unknown) => each === read.request();
    const isOver = Promise.any([
      page.waitForEvent('requestfailed', isIt),
      page.waitForEvent('requestfinished', isIt),
    ]);
    await frame.evaluate(() => here.room.leave());
    await page.getByRole('button', { name: 'Share' }).waitFor();
    // What the service answers once it has noticed. A request that the page has given up gets no answer.
    await read.fulfill({ status: 404, json: { error: { code: 'not_found' } } }).catch(() => {});
    await isOver;
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('can be chosen beside a game that asks for a lobby', async () => {
    const url = `${service.baseUrl}/s/${slug}`;
    const [one, two] = [await visitor(url), await visitor(url)];
    await one.frame.evaluate(async () => {
      const room = await Spaceport.rooms.create({ max: 2, open: true });
      Object.assign(globalThis, { here: { room, heard: [] } });
    });
    assert.equal(await two.page.getByRole('heading', { name: 'Open rooms' }).count(), 0);
    // The page looks every ten seconds, so its first look should find the room.
    const nobody = nobodyPlayer(service);
    await askUntil(
      () => nobody.call('GET', `/api/player/rooms?space=${slug}`),
      (answer) => answer.json().rooms.length === 1,
    );
    await two.frame.evaluate(() => {
      Spaceport.on('invited', (code) => {
        void Spaceport.rooms.join(code).then((room) => {
          Object.assign(globalThis, { here: { room, heard: [] } });
        });
      });
      Spaceport.rooms.lobby(true);
    });
    const open = two.page.getByRole('region', { name: 'Open rooms' });
    await open.getByText('1 of 2').waitFor();
    await open.getByRole('button', { name: 'Join' }).click();
    const code = await one.frame.evaluate(() => here.room.code);
    for (const { page } of [one, two])
      await page
        .getByRole('region', { name: `Room ${code}` })
        .getByText('2 of 2 players')
        .waitFor();
    assert.equal(await two.frame.evaluate(() => Spaceport.rooms.invited()), code);
    await two.frame.evaluate(() => here.room.leave());
    await open.getByText('1 of 2').waitFor();
    await two.frame.evaluate(() => Spaceport.rooms.lobby(false));
    await open.waitFor({ state: 'detached' });
    assert.deepEqual([one.complaints, two.complaints], [[], []]);
    await Promise.all([one.page.context().close(), two.page.context().close()]);
  });
});
