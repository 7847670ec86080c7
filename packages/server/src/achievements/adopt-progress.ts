import { findBansOf } from '../boards/boards.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { findUnlocks, findValues, putProgress } from './progress.queries.ts';
import { noProgress, type Progress, progressKey, writeStat } from './progress.ts';
import { findStatRules, statKey } from './stat-rules.ts';

/** The progress that a player had as a guest. */
export interface BroughtProgress {
  readonly stats: readonly { spaceId: SpaceId; env: Env; key: string; value: number }[];
  readonly unlocks: readonly { spaceId: SpaceId; env: Env; key: string; unlockedAt: number }[];
}

/** A stat whose value changed, or a new achievement. */
export interface Gained {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly key: string;
}

/**
 * Gives a player the progress that they had as a guest. A stat that adds up gets the sum of the two values, any other
 * the larger one (decision 45), and its triggers unlock their achievements. Missing unlocks are added with their old instants.
 * Spaces that the player is banned from are left out. The caller holds the spaces' `progressLock`.
 */
export async function adoptProgress(
  tx: Tx,
  playerId: PlayerId,
  brought: BroughtProgress,
): Promise<{ stats: Gained[]; unlocks: Gained[] }> {
  const spaceIds = new Set([...brought.stats, ...brought.unlocks].map(({ spaceId }) => spaceId));
  const isBanned = await findBansOf(tx, [...spaceIds], [playerId]);
  const stats = brought.stats.filter(({ spaceId }) => !isBanned(spaceId, playerId));
  const unlocks = brought.unlocks.filter(({ spaceId }) => !isBanned(spaceId, playerId));
  const rules = await findStatRules(
    tx,
    stats.map(({ spaceId, env, key }) => ({ spaceId, env, stat: key })),
  );
  const names = stats.flatMap((stat) => {
    const { spaceId, env, key } = stat;
    const rule = rules.get(statKey({ spaceId, env, stat: key }));
    return rule ? { rule, value: stat.value, name: { spaceId, env, key, playerId } } : [];
  });
  const wanted = unlocks.map(({ spaceId, env, key, unlockedAt }) => ({
    name: { spaceId, env, key, playerId },
    unlockedAt,
  }));
  const there: Progress = {
    values: await findValues(
      tx,
      names.map(({ name }) => name),
    ),
    unlocks: await findUnlocks(tx, [
      ...wanted.map(({ name }) => name),
      ...names.flatMap(({ rule, name }) => rule.triggers.map(({ key }) => ({ ...name, key }))),
    ]),
  };
  const written = noProgress();
  for (const { name, unlockedAt } of wanted)
    if (!there.unlocks.has(progressKey(name)))
      written.unlocks.set(progressKey(name), { ...name, unlockedAt });
  for (const { rule, name, value } of names) {
    const current = there.values.get(progressKey(name))?.value;
    const progress = { there, written, now: tx.now };
    const adds = rule.op === 'add' && current !== undefined;
    if (adds && value === 0) continue;
    // A sum beyond ±2^53 cannot be stored: the larger value stays.
    if (adds && writeStat(rule, name, value, progress) !== null) continue;
    if (current === undefined || value > current) writeStat({ ...rule, op: 'max' }, name, value, progress);
  }
  await putProgress(tx, written, tx.now);
  const toGained = ({ spaceId, env, key }: Gained): Gained => ({ spaceId, env, key });
  return {
    stats: [...written.values.values()].map(toGained),
    unlocks: [...written.unlocks.values()].map(toGained),
  };
}
