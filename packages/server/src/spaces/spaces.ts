import { isFrozen } from '@spaceport/contract/frozen';
import { defaultPageSettings, type SpaceFields } from '@spaceport/contract/spaces';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { newId } from '../platform/secrets/id.ts';
import { requireOwn } from './own-space.ts';
import { nextSlug, slugFromTitle } from './slug.ts';
import { toColumns } from './space-fields.ts';
import {
  changeSpaceRow,
  findSpaceBySlug,
  insertSpace,
  reserveSlug,
  type SpaceRow,
} from './spaces.queries.ts';
import { listUnlisted } from './states.ts';

export { releaseAddresses, spaceAt, takeAddress } from './addresses.queries.ts';
export {
  type CoveredRow,
  findSpacesById,
  lockSpacesOf,
  releaseAddressesOf,
} from './many-spaces.queries.ts';
export {
  changeSpaceRow,
  deleteSpace,
  findDeletedBefore,
  findEvenDeleted,
  findSpaceById,
  findSpaceBySlug,
  findSpaceOfSlug,
  findSpaceOfVersion,
  freeSlugs,
  lockEvenDeleted,
  lockSpace,
  pointSpaceAt,
  type SpaceRow,
  takeVersionNumber,
} from './spaces.queries.ts';
export { findToldOwner, type ToldOwner } from './told-owner.queries.ts';
export {
  findView,
  type ShownView,
  type SpaceView,
  selectAddresses,
  selectSettings,
  selectShown,
  selectViews,
} from './views.queries.ts';

const maxSlugAttempts = 20;

/** Creates a hosted space, with a slug from its title that no space ever had. */
export async function createHostedSpace(
  tx: Tx,
  owner: { creatorId: AccountId },
  fields: SpaceFields,
): Promise<SpaceRow> {
  return createSpace(tx, fields, { owner_id: owner.creatorId, hosted: 1, claimed: 1, url: null });
}

/** Creates a space, with a slug from its title that no space ever had, or with the given slug. */
export async function createSpace(
  tx: Tx,
  fields: SpaceFields,
  kind: Pick<SpaceRow, 'owner_id' | 'hosted' | 'claimed' | 'url'> & Partial<Pick<SpaceRow, 'slug' | 'state'>>,
): Promise<SpaceRow> {
  const id = newId('spc');
  const space: SpaceRow = {
    id,
    state: 'listed',
    ...kind,
    slug: await takeSlug(tx, id, kind.slug ?? (await slugFromTitle(fields.title))),
    states_before: toJson([]),
    operators_message: null,
    standing: null,
    offline: 0,
    owner_banned: 0,
    deleted_at: null,
    title: fields.title,
    space_type: fields.space_type,
    devices: toJson([]),
    description: null,
    engine: null,
    ai_tools: toJson([]),
    models: toJson([]),
    tags: toJson([]),
    how_made: null,
    source_url: null,
    page: toJson(defaultPageSettings),
    page_unlisted: 0,
    search_title: '',
    takes: 0,
    clip_after_seconds: 0,
    clip: null,
    cover: null,
    plays: 0,
    live_version_id: null,
    next_version: 1,
    revision: 1,
    created_at: tx.now,
    updated_at: tx.now,
    ...toColumns(fields),
  };
  await insertSpace(tx, space);
  return space;
}

/**
 * Gives an unlisted space to an account, under a slug from its title. It is listed from now on, unless an
 * operator has hidden it.
 */
export async function giveSpace(tx: Tx, space: SpaceRow, creatorId: AccountId): Promise<void> {
  const slug = await takeSlug(tx, space.id, await slugFromTitle(space.title));
  await changeSpaceRow(tx, space.id, { owner_id: creatorId, claimed: 1, slug });
  await listUnlisted(tx, space);
}

async function takeSlug(tx: Tx, spaceId: SpaceId, wanted: string): Promise<string> {
  for (let attempt = 0; attempt < maxSlugAttempts; attempt++) {
    const slug = attempt === 0 ? wanted : nextSlug(wanted, attempt);
    if (await reserveSlug(tx, slug, spaceId)) return slug;
  }
  throw new Error(`no free slug was found for ${wanted}`);
}

/**
 * Returns a space of the caller, for the hosting API. Operators have no special right here.
 * @throws `not_found` if it does not exist and `not_owner` if it belongs to somebody else
 */
export async function ownSpaceForHosting(db: Db, slug: string, caller: CreatorCaller): Promise<SpaceRow> {
  return requireOwn(await findSpaceBySlug(db, slug), slug, caller, 'not_owner');
}

/** Returns whether there is something to open: the creator's own address, or a live version. */
export function isPublished({
  hosted,
  live_version_id,
}: Pick<SpaceRow, 'hosted' | 'live_version_id'>): boolean {
  return hosted === 0 || live_version_id !== null;
}

/** @throws `removed` or `held` while operators keep the space from changes */
export function requireUnfrozen(space: Pick<SpaceRow, 'state' | 'slug'>): void {
  if (!isFrozen(space)) return;
  throw space.state === 'removed'
    ? new ServiceError('removed', `The space «${space.slug}» is off the service.`)
    : new ServiceError('held', `The space «${space.slug}» is under review.`);
}
