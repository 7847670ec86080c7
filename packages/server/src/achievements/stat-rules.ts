import type { SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { findStatsOf, findTriggersOf } from './progress.queries.ts';
import type { StatRules } from './progress.ts';

/** A stat of a space, live or in its sandbox. */
export interface StatName {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly stat: string;
}

/**
 * Returns the rules of these stats, with the achievements that they trigger, by `statKey`. A stat that is
 * not declared has no entry.
 */
export async function findStatRules(tx: Tx, names: readonly StatName[]): Promise<Map<string, StatRules>> {
  const spaceIds = [...new Set(names.map(({ spaceId }) => spaceId))];
  const keys = [...new Set(names.map(({ stat }) => stat))];
  const triggers = Map.groupBy(await findTriggersOf(tx, spaceIds, keys), ({ space_id, env, stat }) =>
    statKey({ spaceId: space_id, env, stat: stat ?? '' }),
  );
  const stats = await findStatsOf(tx, spaceIds, keys);
  return new Map(
    stats.map(({ space_id, env, key, op }) => {
      const name = statKey({ spaceId: space_id, env, stat: key });
      const own = (triggers.get(name) ?? []).flatMap((trigger) =>
        trigger.at_least === null ? [] : [{ key: trigger.key, atLeast: trigger.at_least }],
      );
      return [name, { op, triggers: own }];
    }),
  );
}

export function statKey({ spaceId, env, stat }: StatName): string {
  return `${spaceId} ${env} ${stat}`;
}

/**
 * Returns the error for a value that would leave ±2^53.
 * @param path the path of the post in the body; empty for the body itself
 */
export function beyondBounds(stat: string, path: string): ServiceError {
  const message = 'takes the stat beyond ±2^53';
  const issue = { path: path === '' ? 'value' : `${path}.value`, message };
  return new ServiceError('invalid', `The value for «${stat}» ${message}.`, { issues: [issue] });
}
