import { oneOfList } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import type { SpaceRow } from '../spaces/spaces.ts';

/** Returns accounts by their handles, in lower case. */
export async function findAccountsByHandle(
  db: Db,
  handles: readonly string[],
): Promise<{ id: AccountId; handle: string | null }[]> {
  return findByHandle(db, { handles: listOf(handles) });
}

const findByHandle = prepared((db, { handles }: Given<{ handles: List<string> }>) =>
  db.selectFrom('creators').select(['id', 'handle']).where('handle', 'in', oneOfList(db, handles)),
);

/** Returns the space of a valid preview link, if it has this slug. */
export async function findPreviewedSpace(
  db: Db,
  { slug, label, now }: { slug: string; label: string; now: number },
): Promise<SpaceRow | undefined> {
  return db
    .selectFrom('preview_links as link')
    .innerJoin('versions as version', 'version.id', 'link.version_id')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .selectAll('space')
    .where('link.label', '=', label)
    .where('link.expires_at', '>', now)
    .where('version.status', '!=', 'refused')
    .where('space.slug', '=', slug)
    .executeTakeFirst();
}

/** Returns whether the time of a page that was published without an account is over. */
export async function isUnlistedOver(db: Db, spaceId: SpaceId, now: number): Promise<boolean> {
  const page = await db
    .selectFrom('unlisted_pages')
    .select('expires_at')
    .where('space_id', '=', spaceId)
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return page !== undefined;
}
