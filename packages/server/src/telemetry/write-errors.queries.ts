import { sql } from 'kysely';
import { rowsOf } from '../platform/db/dialect.ts';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';
import type { TalliedError, Told } from './tally.ts';

/**
 * Returns the ids of existing versions by `space number`; null for a page that runs
 * elsewhere, which has no version.
 */
export async function findToldVersions(
  tx: Tx,
  told: readonly Told[],
): Promise<Map<string, VersionId | null>> {
  const named = new Map(
    told.map(({ spaceId, version }) => [`${spaceId} ${version}`, [spaceId, version] as const]),
  );
  const { rows } = await sql<{ spaceId: SpaceId; version: number; id: VersionId | null }>`
    select space.id as "spaceId", cast(c1 as integer) as version, version.id
    from ${rowsOf(tx.db, [...named.values()], 2)} as given
    join spaces as space on space.id = c0
    left join versions as version on version.space_id = c0 and version.number = cast(c1 as integer)
    where cast(c1 as integer) = 0 or version.id is not null`.execute(tx.db);
  return new Map(rows.map(({ spaceId, version, id }) => [`${spaceId} ${version}`, id]));
}

/** Returns the fingerprints that a version has so far. */
export async function findFingerprints(tx: Tx, { spaceId, env, version }: Told): Promise<Set<string>> {
  const rows = await tx.db
    .selectFrom('error_versions as seen')
    .innerJoin('error_groups as error', 'error.id', 'seen.error_id')
    .select('error.fingerprint')
    .where('error.space_id', '=', spaceId)
    .where('error.env', '=', env)
    .where('seen.version', '=', version)
    .execute();
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}

/**
 * Returns the error's id. A resolved error is opened again if a newer version has it, or
 * a page without versions.
 */
export async function addErrorGroup(tx: Tx, error: TalliedError): Promise<string> {
  const { spaceId, env, version, fingerprint, kind, message, place, lastAt } = error;
  const group = await tx.db
    .selectFrom('error_groups')
    .select(['id', 'last_at', 'resolved_at', 'resolved_version'])
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  if (!group) {
    const id = newId('err');
    await tx.db
      .insertInto('error_groups')
      .values({ id, space_id: spaceId, env, fingerprint, kind, message, place, last_at: lastAt })
      .execute();
    return id;
  }
  const isBack =
    group.resolved_at !== null &&
    (version > (group.resolved_version ?? 0) || (version === 0 && lastAt > group.resolved_at));
  await tx.db
    .updateTable('error_groups')
    .set({
      last_at: Math.max(group.last_at, lastAt),
      ...(isBack && { resolved_at: null, resolved_version: null }),
    })
    .where('id', '=', group.id)
    .execute();
  return group.id;
}

export interface Occurrence {
  /** The number of loads in which it happened, with all earlier ones. */
  readonly sessions: number;
  /** Whether no earlier version had it. */
  readonly isNew: boolean;
  readonly alertedAt: number | null;
}

/** Adds to the count of an error in a version. The first stack that was reported stays. */
export async function addOccurrence(
  tx: Tx,
  errorId: string,
  { version, count, sessions, firstAt, lastAt, stack }: TalliedError,
  versionId: VersionId | null,
): Promise<Occurrence> {
  const before = await tx.db
    .selectFrom('error_versions')
    .select(['version', 'count', 'sessions', 'last_at', 'is_new', 'alerted_at', 'stack'])
    .where('error_id', '=', errorId)
    .where('version', '<=', version)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (before?.version === version) {
    await tx.db
      .updateTable('error_versions')
      .set({
        count: before.count + count,
        sessions: before.sessions + sessions,
        last_at: Math.max(before.last_at, lastAt),
        stack: before.stack ?? stack,
      })
      .where('error_id', '=', errorId)
      .where('version', '=', version)
      .execute();
    return {
      sessions: before.sessions + sessions,
      isNew: before.is_new === 1,
      alertedAt: before.alerted_at,
    };
  }
  await tx.db
    .insertInto('error_versions')
    .values({
      error_id: errorId,
      version,
      version_id: versionId,
      count,
      sessions,
      stack,
      first_at: firstAt,
      last_at: lastAt,
      is_new: before ? 0 : 1,
      alerted_at: null,
    })
    .execute();
  return { sessions, isNew: !before, alertedAt: null };
}

/** The most browsers that are counted apart for one error: browsers can give themselves any name. */
const mostBrowsers = 30;
const otherBrowser = 'Another browser';

export async function addBrowsers(
  tx: Tx,
  errorId: string,
  browsers: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = await tx.db
    .selectFrom('error_browsers')
    .select('browser')
    .where('error_id', '=', errorId)
    .execute();
  const known = new Set(rows.map(({ browser }) => browser));
  const within = new Map<string, number>();
  for (const [browser, count] of browsers) {
    const name = known.has(browser) || known.size < mostBrowsers ? browser : otherBrowser;
    known.add(name);
    within.set(name, (within.get(name) ?? 0) + count);
  }
  for (const [browser, count] of within)
    await tx.db
      .insertInto('error_browsers')
      .values({ error_id: errorId, browser, count })
      .onConflict((conflict) =>
        conflict
          .columns(['error_id', 'browser'])
          .doUpdateSet((columns) => ({ count: columns('error_browsers.count', '+', count) })),
      )
      .execute();
}

/** Deletes the errors of a space's sandbox. */
export async function deleteErrorsOfSandbox(tx: Tx, spaceId: SpaceId): Promise<void> {
  const env: Env = 'sandbox';
  await tx.db.deleteFrom('error_groups').where('space_id', '=', spaceId).where('env', '=', env).execute();
}
