import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame } from 'playwright-core';
import { quickPainting } from '../../server/src/platform/browser/flags.ts';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type ServerProcess, startServerProcess } from '../../server/test/server-process.ts';
import '../../server/test/several-nodes.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { game, shownSpace } from './seed.ts';
import { openPage } from './walk.ts';

interface Room {
  readonly code: string;
  readonly link: string;
  send(data: unknown): void;
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  on(event: string, listener: (...given: never[]) => void): void;
}
declare const Spaceport: {
  ready(): Promise<void>;
  rooms: { create(): Promise<Room>; join(code: string): Promise<Room>; invited(): string | null };
};
/**
 * State of the game: its room, the messages it got, and the times when its own socket was connected again
 * (epoch milliseconds).
 */
declare const here: { room: Room; got: unknown[]; back: number[] };

const messages = 50;
/** Sends fewer than 30 messages a second. */
const everyMs = 40;

describe('two browsers in one room, each on its own node', () => {
  let service: TestService;
  let nodes: ServerProcess[] = [];
  const browsers: Browser[] = [];
  const ways: Server[] = [];
  before(async () => {
    service = await startService();
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    const shared = { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
    const start = () => startServerProcess(shared, { role: 'serve' });
    nodes = await Promise.all([start(), start()]);
  });
  after(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    for (const way of ways) way.close();
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await service?.close();
  });

  /**
   * Opens a proxy like a balancer's: it connects to the preferred node, or to another one if that is down.
   * Returns its port.
   */
  async function openWay(liked: number): Promise<number> {
    const way = createServer((near) => {
      const order = [nodes[liked], ...nodes.filter((_, at) => at !== liked)];
      const tryNext = (): void => {
        const node = order.shift();
        if (!node) return void near.destroy();
        const far = connect(node.listeningPort, '127.0.0.1', () => {
          near.pipe(far);
          far.pipe(near);
          far.once('close', () => near.destroy());
        });
        far.once('error', () => {
          if (far.connecting || far.bytesRead === 0) tryNext();
          else near.destroy();
        });
        near.once('close', () => far.destroy());
      };
      near.on('error', () => {});
      tryNext();
    });
    ways.push(way);
    way.listen(0, '127.0.0.1');
    await once(way, 'listening');
    return (way.address() as AddressInfo).port;
  }

  /** Opens a browser in which a player joins the room that the address names, or opens one. */
  async function player(liked: number, url: string): Promise<Frame> {
    const to = `127.0.0.1:${await openWay(liked)}`;
    const rules = `MAP localhost ${to}, MAP *.localhost ${to}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`;
    const browser = await openBrowser(undefined, [...quickPainting, `--host-resolver-rules=${rules}`]);
    browsers.push(browser);
    const page = await openPage(browser, { url });
    await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
    const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
    assert.ok(frame);
    await frame.evaluate(async () => {
      await Spaceport.ready();
      const code = Spaceport.rooms.invited();
      const room = code === null ? await Spaceport.rooms.create() : await Spaceport.rooms.join(code);
      const kept = { room, got: [] as unknown[], back: [] as number[] };
      room.on('message', (data) => kept.got.push(data));
      room.on('back', ({ you }: { you: boolean }) => {
        if (you) kept.back.push(Date.now());
      });
      Object.assign(globalThis, { here: kept });
    });
    return frame;
  }

  it('get messages in order, and are both back with the state after the room’s node is killed', async (t) => {
    const { slug } = (await publishLive(service, await service.creator('mira'), game, { fields: shownSpace }))
      .space;
    const one = await player(0, `${service.baseUrl}/s/${slug}`);
    const two = await player(1, await one.evaluate(() => here.room.link));
    const say = (frame: Frame, from: number) =>
      frame.evaluate(
        async ([first, many, pauseMs]) => {
          for (let at = first; at < first + many; at++) {
            here.room.send(at);
            await new Promise((resolve) => setTimeout(resolve, pauseMs));
          }
        },
        [from, messages, everyMs] as const,
      );
    const heard = (frame: Frame, many: number) =>
      frame.waitForFunction((wanted) => here.got.length === wanted, many, { polling: 100 });
    const inOrder = (from: number) => Array.from({ length: messages }, (_, at) => from + at);
    await Promise.all([say(one, 0), say(two, 100)]);
    await Promise.all([heard(one, messages), heard(two, messages)]);
    assert.deepEqual(await one.evaluate(() => here.got), inOrder(100));
    assert.deepEqual(await two.evaluate(() => here.got), inOrder(0));
    await two.evaluate(() => here.room.set('level', { at: 7 }));
    await one.waitForFunction(() => here.room.get('level') !== undefined, null, { polling: 100 });

    const killedAt = Date.now();
    await nodes[0]?.end('SIGKILL');
    for (const frame of [one, two])
      await frame.waitForFunction(() => here.back.length > 0, null, { polling: 100 });
    const backMs = await Promise.all([one, two].map((frame) => frame.evaluate(() => here.back[0] ?? 0)));
    t.diagnostic(`back after ${backMs.map((at) => at - killedAt).join(' and ')} ms`);
    await Promise.all([say(one, 200), say(two, 300)]);
    await Promise.all([heard(one, 2 * messages), heard(two, 2 * messages)]);
    assert.deepEqual(await one.evaluate(() => here.got.slice(-50)), inOrder(300));
    assert.deepEqual(await two.evaluate(() => here.got.slice(-50)), inOrder(200));
    for (const frame of [one, two])
      assert.deepEqual(await frame.evaluate(() => here.room.get('level')), { at: 7 });
  });
});
