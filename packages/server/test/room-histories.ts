import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { isFault } from '../../sdk/src/faults.ts';
import type { RoomBrowser } from './room-browser.ts';

/** Number of players. The first never leaves, and the last has an account. */
export const playerCount = 5;
const other = fc.integer({ min: 1, max: playerCount - 1 });
const anybody = fc.integer({ min: 0, max: playerCount - 1 });

const deed = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant('join' as const), who: other }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('leave' as const), who: other }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('drop' as const), who: anybody }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('kick' as const), who: other }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('ban' as const), who: fc.constant(playerCount - 1) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('lock' as const), who: anybody, on: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ is: fc.constant('set' as const), who: anybody },
      ...{ key: fc.constantFrom('x', 'y', 'z'), value: fc.option(fc.nat(9), { nil: undefined }) },
    }),
  },
  { weight: 5, arbitrary: fc.record({ is: fc.constant('say' as const), who: anybody }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('wait' as const), who: anybody, ms: fc.nat(80) }) },
);
export type RoomDeed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

/** The actions in one room before and after the end of a node. */
export interface RoomHistory {
  readonly before: readonly RoomDeed[];
  readonly after: readonly RoomDeed[];
}

const history: fc.Arbitrary<RoomHistory> = fc.record({
  before: fc.array(deed, { minLength: 5, maxLength: 20, size: 'max' }),
  after: fc.array(deed, { minLength: 5, maxLength: 20, size: 'max' }),
});

/** Returns histories; always the same for one seed. */
export function historiesOf(seed: number, numRuns: number): RoomHistory[] {
  return fc.sample(history, { seed, numRuns });
}

/** The players of one room. */
export interface Played {
  readonly browsers: readonly RoomBrowser[];
  readonly code: string;
  readonly ban: () => Promise<void>;
}

export async function playDeeds({ browsers, code, ban }: Played, deeds: readonly RoomDeed[]): Promise<void> {
  for (const one of deeds) {
    const browser = browsers[one.who];
    assert.ok(browser);
    if (one.is === 'join' && browser.room === null) await join(browser, code);
    if (one.is === 'leave') browser.room?.leave();
    if (one.is === 'drop') browser.drop();
    if (one.is === 'ban') await ban();
    if (one.is === 'set') browser.try((room) => room.set(one.key, one.value));
    if (one.is === 'lock') browser.try((room) => room.lock(one.on));
    if (one.is === 'say') browser.say();
    if (one.is === 'wait') await pause(one.ms);
    const { id } = browser;
    const host = browsers.find(({ isHost }) => isHost);
    if (one.is === 'kick' && id !== undefined && host !== browser) host?.try((room) => room.kick(id));
  }
}

/** Joins a room. A player who may not join stays out; other failures are temporary and retried. */
async function join(browser: RoomBrowser, code: string): Promise<void> {
  for (;;) {
    try {
      await browser.enter({ how: 'join', code });
      return;
    } catch (error) {
      if (isFault(error) && error.code !== 'offline') return;
      await pause(50);
    }
  }
}

/** A room's row. */
export interface RoomRowSeen {
  readonly members: readonly string[];
  readonly host: string | null;
  readonly isLocked: boolean;
}

/** Returns the views of the room for a comparison; they should be equal. */
export function viewsOf(
  browsers: readonly RoomBrowser[],
): { who: number; members: string[]; host: string | null; state: unknown }[] {
  return browsers.flatMap(({ room }, who) => {
    if (room === null) return [];
    const members = room.members();
    const state = ['anchor', 'x', 'y', 'z'].map((key) => room.get(key));
    return [
      {
        who,
        members: members.map(({ id }) => id),
        host: members.find(({ host }) => host)?.id ?? null,
        state,
      },
    ];
  });
}

/** Returns the difference between the views; null if there is none. */
export function differenceOf(browsers: readonly RoomBrowser[], row: RoomRowSeen | null): string | null {
  const views = viewsOf(browsers);
  const inside = new Set(browsers.flatMap(({ id }) => id ?? []));
  const [first] = views;
  if (!first || !row) return 'nobody is there';
  const wanted = JSON.stringify({ ...first, who: 0 });
  if (views.some((view) => JSON.stringify({ ...view, who: 0 }) !== wanted)) return 'they see other things';
  if (first.members.length !== inside.size || !first.members.every((id) => inside.has(id)))
    return 'those who are in are others than those who are seen';
  if (JSON.stringify([first.members, first.host]) !== JSON.stringify([row.members, row.host]))
    return `the row has others: ${JSON.stringify(row)}`;
  return null;
}

/** Asserts that the messages of each visit were received once and in order. */
export function requireOrder({ heard }: RoomBrowser): void {
  const last = new Map<string, number>();
  for (const { from, life, count } of heard) {
    const key = `${from} ${life}`;
    const before = last.get(key) ?? -1;
    assert.ok(count > before, `${key}: ${count} after ${before}`);
    last.set(key, count);
  }
}
