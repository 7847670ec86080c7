import type { AccountId, SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { MailedVersion } from './error-mail-rules.ts';

/** Returns whether the owner of a space gets mails. Without a setting they do. */
export async function areMailsOn(db: Db, spaceId: SpaceId): Promise<boolean> {
  const row = await db
    .selectFrom('error_mails')
    .select('is_on')
    .where('space_id', '=', spaceId)
    .executeTakeFirst();
  return row?.is_on !== 0;
}

export async function putMailsOn(tx: Tx, spaceId: SpaceId, isOn: boolean): Promise<void> {
  const is_on = isOn ? 1 : 0;
  await tx.db
    .insertInto('error_mails')
    .values({ space_id: spaceId, is_on })
    .onConflict((conflict) => conflict.column('space_id').doUpdateSet({ is_on }))
    .execute();
}

/** A live version of a space, and the owner to tell about it. */
export interface OwnedVersion {
  readonly versionId: VersionId;
  readonly liveAt: number | null;
  readonly slug: string;
  readonly title: string;
  readonly ownerId: AccountId;
  readonly email: string;
}

/** Returns undefined if the version is gone, its space is off the service, or nobody owns it. */
export async function findOwnedVersion(
  db: Db,
  { spaceId, version }: MailedVersion,
): Promise<OwnedVersion | undefined> {
  return db
    .selectFrom('versions as version')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .innerJoin('creators as owner', 'owner.id', 'space.owner_id')
    .select([
      ...(['version.id as versionId', 'version.live_at as liveAt'] as const),
      ...(['space.slug', 'space.title', 'owner.id as ownerId', 'owner.email'] as const),
    ])
    .where('version.space_id', '=', spaceId)
    .where('version.number', '=', version)
    .where('space.state', '=', 'listed')
    .where('owner.banned_at', 'is', null)
    .executeTakeFirst();
}

export interface NewError {
  readonly id: string;
  readonly message: string;
  readonly place: string | null;
  readonly count: number;
  readonly sessions: number;
  readonly alertedAt: number | null;
}

/** Returns unresolved live errors that no earlier version had, those in most loads first. */
export async function findNewErrors(db: Db, versionId: VersionId): Promise<NewError[]> {
  return db
    .selectFrom('error_versions as seen')
    .innerJoin('error_groups as error', 'error.id', 'seen.error_id')
    .select([
      ...(['error.id', 'error.message', 'error.place'] as const),
      ...(['seen.count', 'seen.sessions', 'seen.alerted_at as alertedAt'] as const),
    ])
    .where('seen.version_id', '=', versionId)
    .where('seen.is_new', '=', 1)
    .where('error.env', '=', 'live')
    .where('error.resolved_at', 'is', null)
    .orderBy('seen.sessions', 'desc')
    .orderBy('error.id')
    .execute();
}

export async function noteAlerted(tx: Tx, versionId: VersionId, ids: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('error_versions')
    .set({ alerted_at: tx.now })
    .where('version_id', '=', versionId)
    .where('error_id', 'in', ids)
    .execute();
}
