import { type Selectable, sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { deleteByPages, deleteInPieces } from '../platform/db/delete-pieces.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env, ErrorGroupsTable, ErrorVersionsTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Cursor } from '../platform/http/cursor.ts';

export type ErrorRow = Selectable<ErrorGroupsTable>;
/** An error in a version, without its stack. */
export type SeenRow = Omit<Selectable<ErrorVersionsTable>, 'stack'>;

export interface ErrorFilter {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly version: number | undefined;
  readonly isResolved: boolean;
}

/**
 * Returns errors of a space, those that happened last first. Errors whose versions were
 * all deleted are left out.
 */
export async function findErrors(
  db: Db,
  { spaceId, env, version, isResolved }: ErrorFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ErrorRow[]> {
  let query = db
    .selectFrom('error_groups as error')
    .selectAll('error')
    .where('error.space_id', '=', spaceId)
    .where('error.env', '=', env)
    .where('error.resolved_at', isResolved ? 'is not' : 'is', null)
    .where(({ exists, selectFrom }) => {
      let seen = selectFrom('error_versions as seen')
        .select('seen.version')
        .whereRef('seen.error_id', '=', 'error.id');
      if (version !== undefined) seen = seen.where('seen.version', '=', version);
      return exists(seen);
    });
  if (after) query = query.where(afterCursor('error.last_at', 'error.id', after));
  return query.orderBy('error.last_at', 'desc').orderBy('error.id', 'desc').limit(limit).execute();
}

export async function findError(db: Db, spaceId: SpaceId, id: string): Promise<ErrorRow | undefined> {
  return db
    .selectFrom('error_groups')
    .selectAll()
    .where('id', '=', id)
    .where('space_id', '=', spaceId)
    .executeTakeFirst();
}

/** Returns the versions in which these errors happened, the newest first. */
export async function findSeen(db: Db, ids: readonly string[]): Promise<SeenRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('error_versions')
    .select([
      ...(['error_id', 'version', 'version_id', 'count', 'sessions'] as const),
      ...(['first_at', 'last_at', 'is_new', 'alerted_at'] as const),
    ])
    .where('error_id', 'in', oneOf(db, ids))
    .orderBy('version', 'desc')
    .execute();
}

export async function findBrowsers(
  db: Db,
  ids: readonly string[],
): Promise<{ error_id: string; browser: string; count: number }[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('error_browsers')
    .selectAll()
    .where('error_id', 'in', oneOf(db, ids))
    .orderBy('count', 'desc')
    .orderBy('browser')
    .execute();
}

/** Returns the stack from the newest version that has one. */
export async function findStack(
  db: Db,
  id: string,
): Promise<Pick<Selectable<ErrorVersionsTable>, 'version' | 'version_id' | 'stack'> | undefined> {
  return db
    .selectFrom('error_versions')
    .select(['version', 'version_id', 'stack'])
    .where('error_id', '=', id)
    .where('stack', 'is not', null)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Marks an error as resolved up to the newest version in which it happened, or as open. */
export async function setResolved(tx: Tx, id: string, isResolved: boolean): Promise<void> {
  await tx.db
    .updateTable('error_groups')
    .set((columns) => ({
      resolved_at: isResolved ? tx.now : null,
      resolved_version: isResolved
        ? columns
            .selectFrom('error_versions')
            .select(({ fn }) => fn.max('version').as('version'))
            .where('error_id', '=', id)
        : null,
    }))
    .where('id', '=', id)
    .execute();
}

/** Returns how many errors each version of a space had. */
export async function sumErrors(
  db: Db,
  { spaceId, env }: { spaceId: SpaceId; env: Env },
): Promise<{ version: number; count: number }[]> {
  return db
    .selectFrom('error_versions as seen')
    .innerJoin('error_groups as error', 'error.id', 'seen.error_id')
    .select(({ fn }) => ['seen.version', fn.sum<number>('seen.count').as('count')])
    .where('error.space_id', '=', spaceId)
    .where('error.env', '=', env)
    .groupBy('seen.version')
    .execute();
}

/**
 * Deletes errors that last happened before an instant (epoch milliseconds), and those that
 * are left without a version.
 */
export async function deleteErrorsBefore(db: Db, before: number): Promise<void> {
  await deleteInPieces(db, 'error_versions', sql`last_at < ${before}`);
  // Versions that were deleted took theirs with them, which no index shows.
  await deleteByPages(db, 'error_groups', {
    among: sql`1 = 1`,
    condition: sql`not exists (select 1 from error_versions as seen where seen.error_id = error_groups.id)`,
  });
}
