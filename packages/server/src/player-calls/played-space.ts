import { previewPrefix } from '@spaceport/contract/content-labels';
import type { Platform } from '../platform/context.ts';
import type { Env } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import { noSpace } from '../spaces/own-space.ts';
import { findSpaceOfSlug, isPublished, type SpaceRow } from '../spaces/spaces.ts';
import { isOffService } from '../versions/standing.ts';
import { slugOfUnlistedLabel, unlistedLabel } from '../versions/unlisted-label.ts';
import { findEndOfUnlisted, findPreview, isShownVersion } from './played-space.queries.ts';

/** The place of a play: the space, and the env in which its results are stored. */
export interface PlayedSpace {
  readonly space: SpaceRow;
  readonly env: Env;
  /** The label of its content host: on the play host if it is live, else on the preview host. */
  readonly label: string;
  /** The number of the only version that is shown; null if there may be several, or none. */
  readonly onlyVersion: number | null;
  /** When it can no longer be opened, in epoch milliseconds; infinite if it is live. */
  readonly endsAt: number;
}

type Context = Pick<Platform, 'database' | 'clock'>;

/**
 * Resolves a slug or a label of a content host for this player: what is live, a preview, or an unlisted page.
 * What only the owner may open is found for the owner.
 * @throws `not_found` if there is nothing, and `space_unavailable` if nobody may see the space
 */
export async function playedSpace(context: Context, label: string, caller: PlayCaller): Promise<PlayedSpace> {
  const unlisted = slugOfUnlistedLabel(label);
  if (unlisted !== null) return unlistedPage(context, unlisted);
  return label.startsWith(previewPrefix) ? preview(context, label) : atSlug(context, label, caller);
}

/**
 * Checks that this version may be open there.
 * @throws `invalid`
 */
export async function requireShown(
  { database: { db } }: Context,
  { space, onlyVersion }: PlayedSpace,
  version: number | null,
): Promise<void> {
  const isShown =
    onlyVersion !== null
      ? version === onlyVersion
      : version === null
        ? space.hosted === 0
        : await isShownVersion(db, space, version);
  if (isShown) return;
  const message = 'is not a version that the space shows or showed';
  throw new ServiceError('invalid', `The version ${message}.`, { issues: [{ path: 'version', message }] });
}

async function atSlug(context: Context, slug: string, caller: PlayCaller): Promise<PlayedSpace> {
  const space = await findSpaceOfSlug(context.database.db, slug);
  if (space === 'never' || space === 'ended' || space.slug !== slug) throw noSpace(slug);
  if (space.state === 'unlisted') return untilItsEnd(context, space);
  requireOnService(space);
  if (space.state === 'offline') throw unavailable(space);
  const isOwn = caller.kind === 'account' && caller.playerId === space.owner_id;
  if (!isPublished(space) && !isOwn) throw noSpace(slug);
  return { space, env: 'live', label: space.slug, onlyVersion: null, endsAt: Number.POSITIVE_INFINITY };
}

async function unlistedPage(context: Context, slug: string): Promise<PlayedSpace> {
  const space = await findSpaceOfSlug(context.database.db, slug);
  if (space === 'never' || space === 'ended') throw noSpace(slug);
  requireOnService(space);
  if (space.state !== 'unlisted') throw noSpace(slug);
  return untilItsEnd(context, space);
}

/** A page that nobody claimed ends at its time, even if it was not swept yet. */
async function untilItsEnd({ database, clock }: Context, space: SpaceRow): Promise<PlayedSpace> {
  const endsAt = (await findEndOfUnlisted(database.db, space.id)) ?? 0;
  if (endsAt <= clock.now()) throw noSpace(space.slug);
  return { space, env: 'sandbox', label: unlistedLabel(space.slug), onlyVersion: null, endsAt };
}

async function preview({ database, clock }: Context, label: string): Promise<PlayedSpace> {
  const now = clock.now();
  const found = await findPreview(database.db, { label, now });
  if (!found) throw noSpace(label);
  const { space, version, expiresAt } = found;
  requireOnService(space);
  const end =
    space.state === 'unlisted' ? ((await findEndOfUnlisted(database.db, space.id)) ?? 0) : expiresAt;
  if (end <= now) throw noSpace(label);
  return { space, env: 'sandbox', label, onlyVersion: version, endsAt: Math.min(end, expiresAt) };
}

function requireOnService(space: SpaceRow): void {
  if (isOffService(space)) throw unavailable(space);
}

function unavailable({ state }: SpaceRow): ServiceError {
  return new ServiceError('space_unavailable', `The space is ${state}: it cannot be played now.`);
}
