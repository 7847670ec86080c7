import type { StatResult } from '@spaceport/contract/server-calls';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { findNamed, type PlayerPost } from './named-player.ts';
import { findUnlocks, findValues, putProgress } from './progress.queries.ts';
import { addProgress, noProgress, type Progress, type StatRules, writeStat } from './progress.ts';
import { beyondBounds, findStatRules, statKey } from './stat-rules.ts';

/** A stat as the caller posts it. */
export interface NewStat extends PlayerPost {
  readonly stat: string;
  readonly value: number;
  /** Its path in the body: `stats.3`; empty for the body itself. */
  readonly path: string;
}

/** The stats of one call. Either all are written, or none. */
export interface StatCall {
  readonly spaceId: SpaceId;
  readonly posts: readonly NewStat[];
}

/**
 * Writes the stats of many calls together, in a fixed number of statements, and unlocks what their triggers
 * reach. The caller holds the spaces' `progressLock`. Returns for each call its results, or the error that it
 * was refused with: `not_found`, `no_such_player`, `banned`, `invalid`.
 */
export async function postStats(
  tx: Tx,
  calls: readonly StatCall[],
  now: number,
): Promise<(StatResult[] | ServiceError)[]> {
  const rules = await findStatRules(
    tx,
    calls.flatMap(({ spaceId, posts }) => posts.map(({ env, stat }) => ({ spaceId, env, stat }))),
  );
  const named = await findNamed(tx, calls);
  const there = await findProgress(tx, calls, rules);
  const written = noProgress();

  const write = ({ spaceId, posts }: StatCall): StatResult[] | ServiceError => {
    const own = noProgress();
    const results: StatResult[] = [];
    for (const post of posts) {
      const { stat, env, value, path } = post;
      const rule = rules.get(statKey({ spaceId, env: post.env, stat: post.stat }));
      if (!rule) return new ServiceError('not_found', `There is no stat «${stat}».`);
      const player = named(spaceId, post);
      if (player instanceof ServiceError) return player;
      const name = { spaceId, env, key: stat, playerId: player.playerId };
      const result = writeStat(rule, name, value, { there, written: own, now });
      if (result === null) return beyondBounds(stat, path);
      results.push({ stat, player: player.handle, ...result });
    }
    addProgress(there, own);
    addProgress(written, own);
    return results;
  };
  const answers = calls.map(write);
  await putProgress(tx, written, now);
  return answers;
}

/** Returns the players' current values and unlocks that these calls may change. */
async function findProgress(
  tx: Tx,
  calls: readonly StatCall[],
  rules: ReadonlyMap<string, StatRules>,
): Promise<Progress> {
  const names = calls.flatMap(({ spaceId, posts }) =>
    posts.flatMap((post) => {
      const { env, stat, player } = post;
      const rule = rules.get(statKey({ spaceId, env: post.env, stat: post.stat }));
      if (!rule || player instanceof ServiceError) return [];
      return { rule, name: { spaceId, env, key: stat, playerId: player.playerId } };
    }),
  );
  return {
    values: await findValues(
      tx,
      names.map(({ name }) => name),
    ),
    unlocks: await findUnlocks(
      tx,
      names.flatMap(({ rule, name }) => rule.triggers.map(({ key }) => ({ ...name, key }))),
    ),
  };
}
