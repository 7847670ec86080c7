import { inSteps, stepRows } from '../boards/rebuild.ts';
import type { Platform } from '../platform/context.ts';
import type { Database } from '../platform/db/database.ts';
import { givenId, type PlayerId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { deleteDeclared, dropDeclared, isDeclared } from './achievements.queries.ts';
import {
  countEarned,
  deleteEarned,
  deleteOfGuests,
  type EarnedTable,
  findEarnedAmong,
  hasMoreEarned,
  type Named,
} from './earned-rows.queries.ts';
import { lockProgress } from './progress.queries.ts';

/** The job that deletes what players had of a stat or an achievement that is gone. */
const dropEarnedJob = 'drop-earned';
/** The most rows that one transaction of the job deletes. */
const pieceRows = 5_000;
/** SQLite counts as many in some milliseconds. */
const countedAtOnce = 20_000;

/** The tables of a stat, or of an achievement. */
export type Earnable = 'stats' | 'achievements';

const earnedOf = { stats: 'player_stats', achievements: 'unlocks' } as const satisfies Record<
  Earnable,
  EarnedTable
>;

/** What goes before the transaction that deletes a stat or an achievement, in many: it may be what a million have. */
export async function prepareDrop(
  { database }: Pick<Platform, 'database'>,
  declared: Earnable,
  named: Omit<Named, 'env'>,
): Promise<{ readonly live: number }> {
  const live = await countAll(database, earnedOf[declared], { ...named, env: 'live' });
  // The database would delete what guests have with the declaration, in one statement.
  await deleteOfGuests(database, declared === 'stats' ? 'guest_stats' : 'guest_unlocks', named);
  return { live };
}

async function countAll({ db }: Database, table: EarnedTable, named: Named): Promise<number> {
  let all = 0;
  for (let after: PlayerId | null = givenId('usr', ''); after !== null; ) {
    const piece: Awaited<ReturnType<typeof countEarned>> = await countEarned(db, table, named, {
      after,
      limit: countedAtOnce,
    });
    all += piece.count;
    after = piece.count < countedAtOnce ? null : piece.last;
  }
  return all;
}

/**
 * Deletes a stat or an achievement with all that players have of it. If many do, it is gone at once, and a job deletes
 * their rows: in one transaction they would keep the lock of the space's progress for seconds, and on SQLite every
 * write. The caller holds `lockProgress`. Returns how many had it, or `many`; null if there is none.
 */
export async function drop(tx: Tx, declared: Earnable, named: Named): Promise<number | 'many' | null> {
  const earned = earnedOf[declared];
  if (!(await hasMoreEarned(tx, earned, named, tx.config.RERANK_AT_ONCE)))
    return dropDeclared(tx, named, { declared, earned });
  if (!(await deleteDeclared(tx, declared, named))) return null;
  await tx.enqueue(dropEarnedJob, [declared, named.spaceId, named.env, named.key].join(' '));
  return 'many';
}

/** Deletes what a job would still delete of what is declared anew under these keys: nobody has any of it yet. */
export async function dropLeftovers(
  tx: Tx,
  declared: Earnable,
  place: Omit<Named, 'key'>,
  keys: readonly string[],
): Promise<void> {
  const earned = earnedOf[declared];
  const left = await findEarnedAmong(tx, earned, place, keys);
  if (left.length === 0) return;
  await lockProgress(tx, place.spaceId);
  for (const key of left) await inSteps(() => deleteEarned(tx, earned, { ...place, key }, stepRows));
}

export function createDropEarnedJob({ database }: Pick<Platform, 'database'>): JobKind {
  return {
    kind: dropEarnedJob,
    timeoutSeconds: 3_600,
    maxAttempts: 10,
    concurrency: 1,
    async run({ ref, signal }) {
      const { declared, named } = readRef(ref);
      for (let deleted = pieceRows; deleted === pieceRows; ) {
        signal.throwIfAborted();
        deleted = await database.transaction(async (tx) => {
          await lockProgress(tx, named.spaceId);
          // Whoever declared it anew has deleted the rest, and what is there now is new.
          if (await isDeclared(tx, declared, named)) return 0;
          return deleteEarned(tx, earnedOf[declared], named, pieceRows);
        });
      }
    },
  };
}

/** Keys have no spaces. */
function readRef(ref: string): { declared: Earnable; named: Named } {
  const [declared, spaceId = '', env, key = ''] = ref.split(' ');
  return {
    declared: declared === 'stats' ? 'stats' : 'achievements',
    named: { spaceId: givenId('spc', spaceId), env: env === 'live' ? 'live' : 'sandbox', key },
  };
}
