import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator, sql } from 'kysely';
import { isDeadlock } from './failures.ts';
import { requireFit } from './fit-server.ts';
import * as foundation from './migrations/0001-foundation.ts';
import * as accounts from './migrations/0002-accounts.ts';
import * as listing from './migrations/0003-listing.ts';
import * as clips from './migrations/0004-clips.ts';
import * as unlistedPages from './migrations/0005-unlisted-pages.ts';
import * as operators from './migrations/0006-operators.ts';
import * as boards from './migrations/0007-boards.ts';
import * as activity from './migrations/0008-activity.ts';
import * as trueSizes from './migrations/0009-true-sizes.ts';
import * as deleting from './migrations/0010-deleting.ts';
import * as tokenScopes from './migrations/0011-token-scopes.ts';
import * as outages from './migrations/0012-outages.ts';
import * as firstSignUp from './migrations/0013-first-sign-up.ts';
import * as reviewOutcomes from './migrations/0014-review-outcomes.ts';
import * as closedAccounts from './migrations/0015-closed-accounts.ts';
import * as damagedFiles from './migrations/0016-damaged-files.ts';
import * as covers from './migrations/0017-covers.ts';
import * as reranks from './migrations/0018-reranks.ts';
import * as playerRecords from './migrations/0019-player-records.ts';
import * as playedScores from './migrations/0020-played-scores.ts';
import * as previewChecks from './migrations/0021-preview-checks.ts';
import * as runs from './migrations/0022-runs.ts';
import * as clipMoment from './migrations/0023-clip-moment.ts';
import * as telemetry from './migrations/0024-telemetry.ts';
import * as oauth from './migrations/0025-oauth.ts';
import * as askedAgain from './migrations/0026-asked-again.ts';
import * as webhooks from './migrations/0027-webhooks.ts';
import * as search from './migrations/0028-search.ts';
import * as codeSpace from './migrations/0029-code-space.ts';
import * as versionPaths from './migrations/0030-version-paths.ts';
import * as blobDeltas from './migrations/0031-blob-deltas.ts';
import * as lookups from './migrations/0034-lookups.ts';
import * as rooms from './migrations/0035-rooms.ts';
import * as content from './migrations/0036-content.ts';
import * as firstFiles from './migrations/0042-first-files.ts';
import * as takenDown from './migrations/0043-taken-down.ts';
import * as domains from './migrations/0044-domains.ts';
import * as storedBytes from './migrations/0045-stored-bytes.ts';
import * as tokenPages from './migrations/0046-token-pages.ts';
import * as tokenBlocks from './migrations/0047-token-blocks.ts';
import * as runChanges from './migrations/0048-run-changes.ts';
import * as webhookPauses from './migrations/0049-webhook-pauses.ts';
import * as operatorsWords from './migrations/0050-operators-words.ts';
import * as guestSums from './migrations/0051-guest-sums.ts';
import * as hashBeginnings from './migrations/0052-hash-beginnings.ts';
import * as guestReplays from './migrations/0053-guest-replays.ts';
import * as countedUnlocks from './migrations/0054-counted-unlocks.ts';
import * as typesInOrder from './migrations/0055-types-in-order.ts';
import * as lookupsOfTheDeleted from './migrations/0056-lookups-of-the-deleted.ts';
import * as searchFilling from './migrations/0057-search-filling.ts';
import * as createKeys from './migrations/0058-create-keys.ts';
import * as keysByPlayer from './migrations/0059-keys-by-player.ts';
import * as dueJobsOfAKind from './migrations/0060-due-jobs-of-a-kind.ts';
import * as pagesThatAreGone from './migrations/0061-pages-that-are-gone.ts';
import * as spacesOfManyVersions from './migrations/0062-spaces-of-many-versions.ts';
import * as roomsWithAPlace from './migrations/0063-rooms-with-a-place.ts';
import { requireRecent } from './oldest-program.ts';
import type { Db } from './schema.ts';

/**
 * All migrations in order. A released migration is never edited. They are imported here, and not found by
 * listing a folder, so that a bundler sees them.
 */
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-accounts': accounts,
  '0003-listing': listing,
  '0004-clips': clips,
  '0005-unlisted-pages': unlistedPages,
  '0006-operators': operators,
  '0007-boards': boards,
  '0008-activity': activity,
  '0009-true-sizes': trueSizes,
  '0010-deleting': deleting,
  '0011-token-scopes': tokenScopes,
  '0012-outages': outages,
  '0013-first-sign-up': firstSignUp,
  '0014-review-outcomes': reviewOutcomes,
  '0015-closed-accounts': closedAccounts,
  '0016-damaged-files': damagedFiles,
  '0017-covers': covers,
  '0018-reranks': reranks,
  '0019-player-records': playerRecords,
  '0020-played-scores': playedScores,
  '0021-preview-checks': previewChecks,
  '0022-runs': runs,
  '0023-clip-moment': clipMoment,
  '0024-telemetry': telemetry,
  '0025-oauth': oauth,
  '0026-asked-again': askedAgain,
  '0027-webhooks': webhooks,
  '0028-search': search,
  '0029-code-space': codeSpace,
  '0030-version-paths': versionPaths,
  '0031-blob-deltas': blobDeltas,
  '0034-lookups': lookups,
  '0035-rooms': rooms,
  '0036-content': content,
  '0042-first-files': firstFiles,
  '0043-taken-down': takenDown,
  '0044-domains': domains,
  '0045-stored-bytes': storedBytes,
  '0046-token-pages': tokenPages,
  '0047-token-blocks': tokenBlocks,
  '0048-run-changes': runChanges,
  '0049-webhook-pauses': webhookPauses,
  '0050-operators-words': operatorsWords,
  '0051-guest-sums': guestSums,
  '0052-hash-beginnings': hashBeginnings,
  '0053-guest-replays': guestReplays,
  '0054-counted-unlocks': countedUnlocks,
  '0055-types-in-order': typesInOrder,
  '0056-lookups-of-the-deleted': lookupsOfTheDeleted,
  '0057-search-filling': searchFilling,
  '0058-create-keys': createKeys,
  '0059-keys-by-player': keysByPlayer,
  '0060-due-jobs-of-a-kind': dueJobsOfAKind,
  '0061-pages-that-are-gone': pagesThatAreGone,
  '0062-spaces-of-many-versions': spacesOfManyVersions,
  '0063-rooms-with-a-place': roomsWithAPlace,
};

/** Oldest first. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** The newest migration that this version knows. */
const newest = migrationNames.at(-1) ?? '';

/**
 * Nodes that run meanwhile lock the tables that are changed too, in an order of their own. Of two that wait for each
 * other PostgreSQL ends one. If that is the migration, it was undone as a whole, and begins anew.
 */
const mostAttempts = 8;

/**
 * Brings the database to the newest schema, or to that of the migration `last`. Several processes may run it
 * at the same time: the migrator takes a lock. A database that a newer version has migrated stays as it is,
 * because a node of this version may start beside the newer one, or after it.
 * @throws `SchemaTooNew` if that version is more than one newer
 * @throws `UnfitDatabase` for a new one that the service cannot work with
 */
export async function migrate(db: Db, last?: string): Promise<void> {
  const applied = await notedMigrations(db);
  if (applied.length === 0) await requireFit(db);
  const before = newerOf(applied);
  if (before.length > 0) await requireRecent(db, newest);
  // Behind a pooler that lends connections by the transaction, the migrator's lock would never be released.
  if (last === undefined && isWhole(applied)) return;
  let attempts = 1;
  for (let newer = before; ; ) {
    const migrator = migratorOf(db, newer);
    const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
    if (!error) return;
    if (isDeadlock(error) && attempts++ < mostAttempts) continue;
    // A newer version may have migrated between the look and the lock.
    const now = newerOf(await notedMigrations(db));
    if (now.length === newer.length) throw error;
    await requireRecent(db, newest);
    newer = now;
  }
}

/** Returns the migrations that were applied to the database, oldest first. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const known = await migratorOf(db, newerOf(await notedMigrations(db))).getMigrations();
  return known.filter(({ executedAt }) => executedAt !== undefined).map(({ name }) => name);
}

/** Returns the names of the applied migrations, in no order. */
async function notedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Returns those that come after all that this version knows. The migrator refuses an unknown migration between the
 * known ones: it belongs to another program.
 */
function newerOf(applied: readonly string[]): string[] {
  return applied.filter((name) => name > newest);
}

/** Returns whether all migrations of this version were applied, and none of another program. */
function isWhole(applied: readonly string[]): boolean {
  const noted = new Set(applied);
  return migrationNames.every((name) => noted.has(name)) && applied.every(isKnownOrNewer);
}

function isKnownOrNewer(name: string): boolean {
  return name > newest || name in migrations;
}

function migratorOf(db: Db, newer: readonly string[]): Migrator {
  const done = Object.fromEntries(newer.map((name) => [name, { up: async () => {} }]));
  return new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations, ...done }) } });
}
