import type { Calls, Method, Result, Save } from '@spaceport/contract/sdk-protocol';
import type { Backend, Emit, State } from './backend.ts';
import { type Declared, declaredAs, readDeclared } from './declared.ts';
import { fault } from './faults.ts';
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
  const runs = new Map<string, string>();
  const slots = createSlots(store, 'This browser');
  let known: Promise<Declared> | undefined;
  const declared = () =>
    (known ??= options.declared ? Promise.resolve(options.declared) : readDeclared(options.fetch));

  const mustBeOnline = () => {
    if (isOffline) throw fault('offline', 'there is no connection');
  };

  async function board(key: string): Promise<{ key: string; sort?: string; keep?: string }> {
    const { boards, ascending } = await declared();
    const found = declaredAs(boards, key);
    if (!found) throw fault('not_found', `no board "${key}" is declared`);
    return ascending?.includes(key) ? { ...found, sort: 'asc' } : found;
  }

  async function submit(key: string, score: number): Promise<Result> {
    const { sort, keep } = await board(key);
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw fault('invalid', 'a score is a finite number', {
        issues: [{ path: 'score', message: 'must be a finite number' }],
      });
    const scores = store.get<Record<string, number>>('scores', {});
    const before = scores[key];
    const isBetter = before === undefined || (sort === 'asc' ? score < before : score > before);
    const best = keep === 'sum' ? (before ?? 0) + score : keep === 'last' || isBetter ? score : before;
    store.set('scores', { ...scores, [key]: best });
    const result: Result = { rank: 1, best, improved: best !== before && isBetter, entries: 1, next: null };
    return isOffline ? { ...result, rank: null, entries: null, queued: true } : result;
  }

  async function entries(key: string) {
    mustBeOnline();
    await board(key);
    const score = store.get<Record<string, number>>('scores', {})[key];
    if (score === undefined) return [];
    return [{ rank: 1, handle: state.player.handle ?? 'you', score, you: true }];
  }

  async function writeStat(key: string, change: (before: number, op: string) => number): Promise<number> {
    const { stats: list, achievements = [] } = await declared();
    const found: { key: string; op?: string } | null = declaredAs(list, key);
    if (!found) throw fault('not_found', `no stat "${key}" is declared`);
    const stats = store.get<Record<string, number>>('stats', {});
    const value = change(stats[key] ?? 0, found.op ?? 'add');
    if (!Number.isFinite(value)) throw fault('invalid', 'a stat is a finite number');
    store.set('stats', { ...stats, [key]: value });
    for (const { key: won, trigger } of achievements)
      if (trigger?.stat === key && value >= trigger.atLeast) unlock(won);
    return value;
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
      runs.set(run, key);
      return { run, seed: randomName() };
    },
    async 'run.submit'(run, score) {
      const key = runs.get(run);
      if (key === undefined) throw fault('conflict', 'the run has been submitted, or never began');
      const result = await submit(key, score);
      runs.delete(run);
      return result;
    },
    async 'scores.submit'(key, score) {
      mustBeOnline();
      return submit(key, score);
    },
    'scores.top': entries,
    'scores.around': entries,
    'stats.add': (key, by) => writeStat(key, (before) => before + by),
    'stats.set': (key, value) =>
      writeStat(key, (before, op) => (op === 'max' ? Math.max(before, value) : value)),
    async 'achievements.unlock'(key) {
      const { achievements } = await declared();
      if (!declaredAs(achievements, key)) throw fault('not_found', `no achievement "${key}" is declared`);
      return unlock(key);
    },
    async 'achievements.list'() {
      const unlocks = store.get<Record<string, string>>('unlocks', {});
      const { achievements = Object.keys(unlocks).map((key) => ({ key, title: key })) } = await declared();
      return achievements.map(({ key, title }) => ({
        key,
        title: title ?? key,
        unlockedAt: unlocks[key] ?? null,
      }));
    },
    'saves.get': async (slot) => slots.get(slot),
    'saves.set': async (slot, data, base) => slots.set(slot, data, base),
    'saves.list': async () => slots.list().map(({ data: _, ...save }: Save) => save),
    async 'saves.delete'(slot) {
      slots.delete(slot);
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
