import { sql } from 'kysely';
import { rowsOfList, skipLocked, unhurried } from '../db/dialect.ts';
import type { JobId, LeaseId } from '../db/ids.ts';
import { type Cells, type List, listOf } from '../db/lists.ts';
import { type Given, preparedRead } from '../db/prepared.ts';
import type { Db, JobsTable } from '../db/schema.ts';
import type { Tx } from '../db/tx.ts';

/**
 * Returns those of these kinds of which a job is due and not leased. It looks for one of each: of some a hundred
 * thousand may be due, as after a day without a worker.
 */
export async function findDueKinds(
  db: Db,
  kinds: readonly { readonly kind: string }[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (kinds.length === 0) return new Set();
  const rows = await dueAmong(db, { kinds: listOf(kinds.map(({ kind }) => [kind])), now });
  return new Set(rows.map(({ kind }) => kind));
}

const dueAmong = preparedRead(
  (db, { kinds, now }: Given<{ kinds: List<Cells>; now: number }>) => sql<{ kind: string }>`
    select given.c0 as kind from ${rowsOfList(db, kinds, 1)} as given
    where (
      select 1 from jobs
      where jobs.kind = given.c0 and failed_at is null and run_at <= ${now}
        and (leased_until is null or leased_until <= ${now})
      order by run_at limit 1) = 1`,
);

/** Returns the job of a kind and ref, which waits, runs or was given up. */
export async function findJob(
  db: Db,
  kind: string,
  ref: string,
): Promise<Pick<JobsTable, 'failed_at' | 'last_error'> | undefined> {
  return db
    .selectFrom('jobs')
    .select(['failed_at', 'last_error'])
    .where('kind', '=', kind)
    .where('ref', '=', ref)
    .executeTakeFirst();
}

interface Due {
  readonly kind: string;
  readonly now: number;
  /** Only jobs that were due by this instant: `now`, or before it. */
  readonly runAt: number;
}

/** Returns whether a job of a kind is due and not leased. */
export async function isOneDue(db: Db, due: Due): Promise<boolean> {
  return (await dueJobs(db, due).executeTakeFirst()) !== undefined;
}

export interface Leased {
  readonly id: JobId;
  readonly ref: string;
  readonly lease: LeaseId;
  readonly asks: number;
  /** Including this one. */
  readonly attempts: number;
  readonly outages: number;
}

/**
 * Leases the job that has been due for longest, in one statement. Returns undefined if there is none. A crash of the
 * database may lose the lease: then another worker takes the job, and the one that had it cannot write its result.
 */
export async function leaseDue(
  db: Db,
  due: Due,
  { lease, until }: { lease: LeaseId; until: number },
): Promise<Leased | undefined> {
  const row = await db
    .updateTable('jobs')
    .set({ lease, leased_until: until, attempts: sql<number>`attempts + 1` })
    .where('id', '=', dueJobs(db, due).modifyEnd(skipLocked(db)))
    .where(unhurried(db))
    .returning(['id', 'ref', 'asks', 'attempts', 'outages'])
    .executeTakeFirst();
  return row && { ...row, lease };
}

/** What the row of a job says after a failed run. */
export interface FailedRun {
  readonly attempts: number;
  readonly outages: number;
  /** When the job runs again, in epoch milliseconds. */
  readonly run_at: number;
  /** Now. */
  readonly created_at: number;
  readonly last_error: string;
  /** When the job was given up; null if it was not. */
  readonly failed_at: number | null;
}

/**
 * Writes a failed run. Returns false if the job was requested meanwhile, so that the failure says nothing about the new
 * request, or if another worker has the lease.
 */
export async function writeFailure(db: Db, { id, lease, asks }: Leased, failed: FailedRun): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ ...failed, lease: null, leased_until: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('asks', '=', asks)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Frees a job for another run, which was requested while the failed one ran. */
export async function freeRun(
  db: Db,
  { id, lease }: Leased,
  { last_error }: Pick<FailedRun, 'last_error'>,
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ last_error, lease: null, leased_until: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .execute();
}

/**
 * Ends a run: deletes the job, or frees it for another run if it was requested meanwhile. Returns false if
 * another worker has the lease.
 */
export async function endRun(
  tx: Tx,
  { id, lease, asks }: Pick<Leased, 'id' | 'lease' | 'asks'>,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('asks', '=', asks)
    .executeTakeFirst();
  if (numDeletedRows === 1n) return true;
  const { numUpdatedRows } = await tx.db
    .updateTable('jobs')
    .set({ lease: null, leased_until: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The jobs that are due and not leased, longest due first. */
function dueJobs(db: Db, { kind, now, runAt }: Due) {
  return db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('failed_at', 'is', null)
    .where('run_at', '<=', runAt)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .orderBy('run_at')
    .limit(1);
}

/**
 * Makes the jobs due that were requested, and frees those that were leased, by a clock that was ahead. Returns how many
 * there were.
 */
export async function bringBack(
  db: Db,
  { now, newest, longest }: { now: number; newest: number; longest: number },
): Promise<number> {
  const requested = await db
    .updateTable('jobs')
    .set({ run_at: now, created_at: now })
    .where('created_at', '>', newest)
    .where('failed_at', 'is', null)
    .executeTakeFirst();
  const leased = await db
    .updateTable('jobs')
    .set({ lease: null, leased_until: null })
    .where('leased_until', '>', longest)
    .executeTakeFirst();
  return Number(requested.numUpdatedRows + leased.numUpdatedRows);
}
