import { sortOf } from '@spaceport/contract/board-order';
import type { Calls, Json, Method, Page, Result, Save } from '@spaceport/contract/sdk-protocol';
import type { Backend, Emit, State } from './backend.ts';
import {
  type Declared,
  type DeclaredAchievement,
  type DeclaredBoard,
  type DeclaredStat,
  declaredAs,
  readDeclared,
} from './declared.ts';
import { fault } from './faults.ts';
import { checkExtras, checkPage, checkScore, keyOf, numberOf, slotOf, wrong } from './given.ts';
import { randomName } from './random-name.ts';
import { createSlots } from './slots.ts';
import type { Store } from './store.ts';

export interface StandInOptions {
  readonly state: State;
  readonly store: Store;
  readonly emit: Emit;
  readonly isOffline: boolean;
  /** The player after signing in; null if nobody can sign in. */
  readonly account: State['player'] | null;
  /** What is known of the declarations; null if the service.json beside the page has them. */
  readonly declared: Declared | null;
  readonly fetch: typeof fetch;
}

/** All methods except those of content, which `createContent` answers. */
type Answered = Exclude<Method, `content.${string}`>;
type Answers = { [M in Answered]: (...args: Calls[M]['args']) => Promise<Calls[M]['answer']> };
/** The message for calls that only the service can answer. */
const needsService = 'needs the service: open the space on its page there';

/**
 * Opens a backend that answers in place of the service, for one player in one browser. It answers as the
 * service would, so that a space behaves the same, but nothing leaves the browser and boards have no other
 * players.
 */
export function openStandIn(options: StandInOptions): Backend {
  const { state, store, emit, isOffline, account } = options;
  const runs = new Map<string, { readonly key: string; readonly startedAt: number }>();
  const slots = createSlots(store, 'This browser');
  let known: Promise<Declared> | undefined;
  const declared = () =>
    (known ??= options.declared ? Promise.resolve(options.declared) : readDeclared(options.fetch));

  const mustBeOnline = () => {
    if (isOffline) throw fault('offline', 'there is no connection');
  };

  async function board(given: string): Promise<DeclaredBoard> {
    const key = keyOf(given, 'board');
    const { boards, ascending, keeps } = await declared();
    const found = declaredAs(boards, key);
    if (!found) throw fault('not_found', `no board "${key}" is declared`);
    const keep = (['sum', 'last'] as const).find((one) => keeps?.[one].includes(key));
    return { ...found, ...(ascending?.includes(key) && { sort: 'asc' }), ...(keep && { keep }) };
  }

  async function submit(
    given: string,
    score: number,
    { seconds = null, ...extras }: { seconds?: number | null; meta?: Json | undefined; replay?: unknown },
  ): Promise<Result> {
    const found = await board(given);
    const { key, keep } = found;
    numberOf(score, 'score');
    checkExtras(extras);
    checkScore(found, score, seconds);
    const scores = store.get<Record<string, number>>('scores', {});
    const before = scores[key];
    const isBetter = (than: number, one: number) => (sortOf(found) === 'asc' ? one < than : one > than);
    const kept = before === undefined || keep === 'last' || isBetter(before, score) ? score : before;
    const best = keep === 'sum' ? (before ?? 0) + score : kept;
    store.set('scores', { ...scores, [key]: best });
    const improved = before === undefined || isBetter(before, best);
    const result: Result = { rank: 1, best, improved, entries: 1, next: null };
    return isOffline ? { ...result, rank: null, entries: null, queued: true } : result;
  }

  async function entries(given: string, page: Page) {
    mustBeOnline();
    const found = await board(given);
    checkPage(found, page);
    const score = store.get<Record<string, number>>('scores', {})[found.key];
    if (score === undefined) return [];
    return [{ rank: 1, handle: state.player.handle ?? 'you', score, you: true }];
  }

  /** `by` is added, or else `value` is set. Where nothing is declared, a stat takes both. */
  async function writeStat(given: string, { by, value }: { by?: number; value?: number }): Promise<number> {
    const key = keyOf(given, 'key');
    const { stats: list, achievements = [] } = await declared();
    const found: DeclaredStat | null = declaredAs(list, key);
    if (!found) throw fault('not_found', `no stat "${key}" is declared`);
    const isAdded = by !== undefined;
    const path = isAdded ? 'by' : 'value';
    const number = numberOf(isAdded ? by : value, path);
    const { op = 'set' } = found;
    if (list && isAdded !== (op === 'add')) throw wrong(path, `is not for a stat that is declared "${op}"`);
    const stats = store.get<Record<string, number>>('stats', {});
    const before = stats[key];
    const after = isAdded
      ? (before ?? 0) + number
      : op === 'max' && before !== undefined
        ? Math.max(before, number)
        : number;
    store.set('stats', { ...stats, [key]: after });
    for (const { key: won, trigger } of achievements)
      if (trigger?.stat === key && after >= trigger.atLeast) unlock(won);
    return after;
  }

  function unlock(key: string): { first: boolean } {
    const unlocks = store.get<Record<string, string>>('unlocks', {});
    const first = !unlocks[key];
    if (first) store.set('unlocks', { ...unlocks, [key]: new Date().toISOString() });
    return { first };
  }

  const answers: Answers = {
    async 'player.signIn'() {
      mustBeOnline();
      if (!account) throw fault('unsupported', `signing in ${needsService}`);
      if (state.player.guest) {
        state.player = account;
        emit('player', account);
      }
      return state.player;
    },
    async 'player.token'() {
      mustBeOnline();
      if (state.player.guest) throw fault('sign_in_required', 'a guest has no token');
      throw fault('unsupported', `a token ${needsService}`);
    },
    async run(key) {
      mustBeOnline();
      await board(key);
      const run = randomName();
      runs.set(run, { key, startedAt: performance.now() });
      return { run, seed: randomName() };
    },
    async 'run.submit'(run, score, more) {
      const open = runs.get(run);
      if (open === undefined) throw fault('closed', 'the run is over, or never began');
      runs.delete(run);
      const seconds = (performance.now() - open.startedAt) / 1_000;
      try {
        return await submit(open.key, score, { ...more, seconds });
      } catch (error) {
        runs.set(run, open);
        throw error;
      }
    },
    async 'scores.submit'(key, score, meta) {
      mustBeOnline();
      return submit(key, score, { meta });
    },
    'scores.top': entries,
    'scores.around': entries,
    'stats.add': (key, by) => writeStat(key, { by }),
    'stats.set': (key, value) => writeStat(key, { value }),
    async 'achievements.unlock'(given) {
      const key = keyOf(given, 'key');
      const { achievements } = await declared();
      if (!declaredAs(achievements, key)) throw fault('not_found', `no achievement "${key}" is declared`);
      return unlock(key);
    },
    async 'achievements.list'() {
      const unlocks = store.get<Record<string, string>>('unlocks', {});
      const all: readonly DeclaredAchievement[] =
        (await declared()).achievements ?? Object.keys(unlocks).map((key) => ({ key }));
      return all.map(({ key, title = key, hidden }) => {
        const unlockedAt = unlocks[key] ?? null;
        return { key, title: hidden && unlockedAt === null ? '' : title, unlockedAt };
      });
    },
    'saves.get': async (slot) => slots.get(slotOf(slot)),
    'saves.set': async (slot, data, base) => slots.set(slotOf(slot), data, base),
    'saves.list': async () => slots.list().map(({ data: _, ...save }: Save) => save),
    async 'saves.delete'(slot) {
      slots.delete(slotOf(slot));
      return null;
    },
    async 'rooms.enter'() {
      throw fault('unsupported', `a room ${needsService}`);
    },
    'storage.write': async () => null,
  };

  return {
    state,
    reached: Promise.resolve(),
    async call(method, args) {
      const answer = answers[method as Answered] as ((...given: unknown[]) => Promise<never>) | undefined;
      if (!answer) throw fault('unsupported', `there is no ${method}`);
      return answer(...args);
    },
    tell() {},
  };
}
