import type { OwnSpace } from '@spaceport/contract/listing';
import type { Clip, Cover } from '@spaceport/contract/spaces';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { Urls } from '../platform/urls.ts';
import { requireOwn } from './own-space.ts';
import type { SpaceRow } from './spaces.queries.ts';
import { findView, findViewById, type ShownView, type SpaceView } from './views.queries.ts';

export type { ShownView, SpaceView } from './views.queries.ts';

/**
 * Returns a space of the caller.
 * @throws `not_found` if it does not exist or belongs to somebody else
 */
export async function ownView(
  db: Db,
  slug: string,
  caller: Pick<CreatorCaller, 'creatorId'>,
): Promise<SpaceView> {
  return requireOwn(await findView(db, slug), slug, caller);
}

/** Returns the view again, after a change. */
export async function viewById(db: Db, id: SpaceId): Promise<SpaceView> {
  const view = await findViewById(db, id);
  if (!view) throw new ServiceError('not_found', 'The space is not there any more.');
  return view;
}

/** Returns the address where the space runs: the creator's own, or the origin of a hosted space. */
export function addressOf(urls: Urls, { url, slug }: Pick<SpaceRow, 'url' | 'slug'>): string {
  return url ?? urls.live(slug);
}

/**
 * Returns the strong ETag of a space, for If-Match. It changes with every change by its owner or an operator.
 */
export function etagOf({ revision }: Pick<SpaceRow, 'revision'>): string {
  return `"${revision}"`;
}

/** Returns a space as its creator reads it. */
export function toOwnSpace(urls: Urls, view: SpaceView): OwnSpace {
  return {
    ...toShownSpace(urls, view),
    state: view.state,
    live_version: view.live_number,
    page_warning: view.hosted === 1 ? null : view.page_warning,
    operators_message: view.operators_message,
  };
}

/** Returns the fields of a space that its lists have. */
export function toShownSpace(
  urls: Urls,
  view: ShownView,
): Omit<OwnSpace, 'state' | 'live_version' | 'page_warning' | 'operators_message'> {
  return {
    slug: view.slug,
    url: addressOf(urls, view),
    service_url: urls.page(view.slug),
    title: view.title,
    // The schema has checked the values of these columns.
    space_type: view.space_type as OwnSpace['space_type'],
    devices: fromJson(view.devices),
    description: view.description,
    engine: view.engine,
    ai_tools: fromJson(view.ai_tools),
    models: fromJson(view.models),
    tags: fromJson(view.tags),
    how_made: view.how_made,
    source_url: view.source_url,
    owner: view.owner_handle,
    claimed: view.claimed === 1,
    hosted: view.hosted === 1,
    clip: clipOf(urls, view),
    cover: coverOf(urls, view),
    page: fromJson(view.page),
    created_at: toTimestamp(view.created_at),
    updated_at: toTimestamp(view.updated_at),
  };
}

/** Returns the answer of a call that reads or changes the caller's own space. */
export function ownAnswer(urls: Urls, view: SpaceView): { headers: { etag: string }; body: OwnSpace } {
  return { headers: { etag: etagOf(view) }, body: toOwnSpace(urls, view) };
}

function clipOf(urls: Urls, { clip }: Pick<SpaceRow, 'clip'>): Clip | null {
  if (clip === null) return null;
  const { path, width, height, take, takenAt } = fromJson(clip);
  return { url: `${urls.app}${path}`, width, height, take, taken_at: toTimestamp(takenAt) };
}

function coverOf(urls: Urls, { cover }: Pick<SpaceRow, 'cover'>): Cover | null {
  if (cover === null) return null;
  const { path, width, height, setAt } = fromJson(cover);
  return { url: `${urls.app}${path}`, width, height, set_at: toTimestamp(setAt) };
}
