import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fromJson } from '../src/platform/db/json.ts';
import { onceFree } from './answers.ts';
import { publishLive } from './files.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from './played.ts';
import { rawRequest } from './raw-http.ts';
import { openSocketsFrom, RoomBrowser } from './room-browser.ts';
import {
  differenceOf,
  historiesOf,
  type Played,
  playDeeds,
  playerCount,
  type RoomHistory,
  type RoomRowSeen,
  requireOrder,
  viewsOf,
} from './room-histories.ts';
import { originOf } from './room-member.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import './several-nodes.ts';
import { type Persona, startService, type TestService } from './service.ts';

/** The number of rooms that are played at the same time on the same two nodes, one of which is killed. */
const atOnce = 10;
/**
 * To run more by hand: `ROOM_HISTORIES=200 npm test -- room-histories`. To repeat failed ones: `ROOM_SEED=…`.
 */
const rounds = Math.ceil(Number(process.env.ROOM_HISTORIES ?? atOnce) / atOnce);
const firstSeed = Number(process.env.ROOM_SEED ?? 1);
const settleMs = 60_000;

describe('histories of rooms on two nodes, one of which is killed', () => {
  let service: TestService;
  let creator: Persona;
  let slug: string;
  let shared: Record<string, string>;
  /** The two nodes. A node that is down is null. */
  let nodes: (ServerProcess | null)[] = [];
  const all: RoomBrowser[] = [];
  before(async () => {
    service = await startService({
      environment: { ROOM_TICKETS_PER_MINUTE: '100000', SIGN_UPS_PER_HOUR: '1000' },
    });
    creator = await service.creator();
    slug = (await publishLive(service, creator)).space.slug;
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    shared = { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
    openSocketsFrom(originOf(service, slug), new URL(BASE_URL).host);
    nodes = await Promise.all([startNode(), startNode()]);
  });
  after(async () => {
    // A module in a room tries to reconnect as long as it is allowed to, so each leaves its room.
    leaveAll();
    await Promise.all(nodes.map((node) => node?.end('SIGKILL')));
    await service.close();
  });

  function leaveAll(): void {
    for (const { room } of all.splice(0)) room?.leave();
  }

  const startNode = () => startServerProcess(shared, { role: 'serve' });

  /** Returns the port of the preferred node, or of the other one while that node is down. */
  function portOf(liked: number): number {
    const node = nodes[liked] ?? nodes.find((other) => other !== null);
    assert.ok(node);
    return node.listeningPort;
  }

  async function browser(liked: number, handle: string | null): Promise<RoomBrowser> {
    const at: TestService = Object.create(service, {
      get: { value: (url: string, options = {}) => rawRequest(portOf(liked), url, options) },
    });
    const who: PlayingVisitor = handle === null ? guestPlayer(at) : await accountPlayer(at, handle);
    const made = new RoomBrowser(who, slug, () => portOf(liked));
    all.push(made);
    return made;
  }

  /** Opens a room with its first player in it. The other players are still outside. */
  async function begin(seed: number, at: number): Promise<Played> {
    const handle = `p_${seed}_${at}`;
    const first = await browser(at % 2, null);
    const browsers = [first];
    while (browsers.length < playerCount) {
      const isLast = browsers.length === playerCount - 1;
      browsers.push(await browser((at + browsers.length) % 2, isLast ? handle : null));
    }
    const room = await first.enter({ how: 'create' });
    room.set('anchor', at);
    const { code } = room;
    const ban = async () => {
      const banned = await onceFree(() => creator.call('POST', `/api/spaces/${slug}/bans`, { handle }));
      assert.ok([200, 409].includes(banned.status), banned.text());
    };
    return { browsers, code, ban };
  }

  async function rowOf(code: string): Promise<RoomRowSeen | null> {
    const { db } = service.service.platform.database;
    const row = await db
      .selectFrom('rooms')
      .select(['members', 'is_locked'])
      .where('code', '=', code)
      .executeTakeFirst();
    if (!row) return null;
    const { members, host } = fromJson(row.members);
    return { members: members.map(({ id }) => id), host, isLocked: row.is_locked === 1 };
  }

  async function settled({ browsers, code }: Played, at: number, seed: number): Promise<void> {
    const until = performance.now() + settleMs;
    for (;;) {
      const difference = differenceOf(browsers, await rowOf(code));
      if (difference === null) break;
      if (performance.now() > until)
        assert.fail(`${difference}, ROOM_SEED=${seed}, the ${at}th: ${JSON.stringify(viewsOf(browsers))}`);
      await pause(50);
    }
    for (const one of browsers) requireOrder(one);
    assert.equal(browsers[0]?.room?.get('anchor'), at, `ROOM_SEED=${seed}`);
  }

  async function round(seed: number, t: TestContext): Promise<void> {
    const histories = historiesOf(seed, atOnce);
    const rooms: Played[] = [];
    for (let at = 0; at < atOnce; at++) rooms.push(await begin(seed, at));
    await killMidway(rooms, histories, seed, t);
    leaveAll();
  }

  async function killMidway(
    rooms: readonly Played[],
    histories: readonly RoomHistory[],
    seed: number,
    t: TestContext,
  ): Promise<void> {
    const play = (which: keyof RoomHistory) =>
      Promise.all(rooms.map((room, at) => playDeeds(room, histories[at]?.[which] ?? [])));
    await play('before');
    const killed = seed % 2;
    const node = nodes[killed];
    nodes[killed] = null;
    const killedAt = performance.now();
    await node?.end('SIGKILL');
    const starting = startNode().then((fresh) => {
      nodes[killed] = fresh;
    });
    try {
      await play('after');
      await Promise.all(rooms.map((room, at) => settled(room, at, seed)));
    } finally {
      await starting;
    }
    const waits = rooms.flatMap(({ browsers }) =>
      browsers.flatMap(({ backAt }) => {
        const back = backAt.find((at) => at > killedAt);
        return back === undefined ? [] : [back - killedAt];
      }),
    );
    t.diagnostic(
      `seed ${seed}: ${waits.length} came back, the last after ${Math.max(...waits).toFixed(0)} ms`,
    );
  }

  for (let at = 0; at < rounds; at++)
    it(`end with the same members and the same state everywhere, with seed ${firstSeed + at}`, (t) =>
      round(firstSeed + at, t));
});
