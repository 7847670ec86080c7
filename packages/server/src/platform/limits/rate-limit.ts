import { sql } from 'kysely';
import { mostAheadMs } from '../clock/clock.ts';
import type { Database } from '../db/database.ts';
import { deleteUnindexed } from '../db/delete-pieces.ts';
import type { Db } from '../db/schema.ts';
import type { Tx } from '../db/tx.ts';
import { type ErrorDetails, ServiceError } from '../errors.ts';

export interface RateLimit {
  /** At most `count` in any span of `seconds`. */
  readonly count: number;
  readonly seconds: number;
}

export type RateAnswer =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/**
 * Counts one use of `bucket` if the limit allows it. The limit is exact on both engines and across processes:
 * the uses of a bucket are rows, which are counted under a lock. A use in a transaction that is rolled back
 * is not counted.
 */
export async function takeFromLimit(tx: Tx, bucket: string, limit: RateLimit): Promise<RateAnswer> {
  const [, answer] = await Promise.all([tx.lock(`rate:${bucket}`), readLimit(tx, bucket, limit)]);
  if (answer.allowed) await countUse(tx, bucket);
  return answer;
}

/**
 * Returns whether the limit allows a use of `bucket`, and counts none. The transaction holds a lock that every
 * user of the bucket takes.
 */
export async function readLimit(tx: Tx, bucket: string, limit: RateLimit): Promise<RateAnswer> {
  const windowMs = limit.seconds * 1000;
  const hits = await tx.db
    .selectFrom('rate_hits')
    .select('at')
    .where('bucket', '=', bucket)
    .where('at', '>', tx.now - windowMs)
    .where('at', '<=', tx.now + mostAheadMs)
    .orderBy('at', 'desc')
    .limit(Math.max(limit.count, 1))
    .execute();
  if (hits.length < limit.count) return { allowed: true };
  // The next use is possible when the oldest of the last `count` uses leaves the window.
  const oldest = limit.count === 0 ? tx.now : (hits[limit.count - 1]?.at ?? tx.now);
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowMs - tx.now) / 1000)) };
}

/** Counts one use of `bucket`, after `readLimit` allowed it. */
export async function countUse(tx: Tx, bucket: string): Promise<void> {
  await tx.db.insertInto('rate_hits').values({ bucket, at: tx.now }).execute();
}

/**
 * Counts one use of `bucket`.
 * @throws `rate_limited` if the limit does not allow it. `sentence` may contain the seconds until it does.
 */
export async function requireWithin(
  tx: Tx,
  bucket: string,
  limit: RateLimit,
  sentence: string | ((retryAfterSeconds: number) => string),
  more: Pick<ErrorDetails, 'next'> = {},
): Promise<void> {
  const answer = await takeFromLimit(tx, bucket, limit);
  if (answer.allowed) return;
  const { retryAfterSeconds } = answer;
  const message = typeof sentence === 'string' ? sentence : sentence(retryAfterSeconds);
  throw new ServiceError('rate_limited', message, { retryAfterSeconds, ...more });
}

/** Deletes all counted uses of `bucket`. */
export async function forgetUses(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('rate_hits').where('bucket', '=', bucket).execute();
}

/** The longest window of any limit. Uses that are further away do not count, and are deleted. */
const longestWindowMs = 24 * 3_600_000;

export async function sweepRateHits(database: Database, now: number): Promise<void> {
  await deleteUnindexed(
    database.db,
    'rate_hits',
    sql`at < ${now - longestWindowMs} or at > ${now + longestWindowMs}`,
  );
}
