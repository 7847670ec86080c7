import type { SpaceId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { StoredClip, StoredCover } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { countTake, findTakes, setPicture } from './pictures.queries.ts';
import type { SpaceRow } from './spaces.queries.ts';

/**
 * The job that takes the picture of a space. `ref` is the space's id; the number of the picture
 * is in the space's `takes`.
 */
export const clipJob = 'clip';

/**
 * Requests a new picture of the space. Requests that come while one waits become one job, which takes the
 * newest. Returns the number of the picture, or null if this server has no browser.
 */
export async function requestClip(tx: Tx, space: Pick<SpaceRow, 'id'>): Promise<number | null> {
  if (tx.config.BROWSER === 'none') return null;
  const takes = await countTake(tx, space.id);
  await tx.enqueue(clipJob, space.id);
  return takes;
}

/** Sets how many seconds after its page has loaded the next and later pictures of the space are taken. */
export async function setClipMoment(tx: Tx, spaceId: SpaceId, afterSeconds: number): Promise<void> {
  await setPicture(tx, spaceId, { clip_after_seconds: afterSeconds });
}

/** Makes a picture the one that answers show. */
export async function recordClip(tx: Tx, spaceId: SpaceId, clip: StoredClip): Promise<void> {
  await setPicture(tx, spaceId, { clip: toJson(clip) });
}

/** Makes a picture uploaded by the owner the one that answers show; null shows the clip again. */
export async function recordCover(tx: Tx, spaceId: SpaceId, cover: StoredCover | null): Promise<void> {
  await setPicture(tx, spaceId, { cover: cover && toJson(cover) });
}

/** Schedules the next picture if one was requested after number `taken`. */
export async function renewClip(tx: Tx, spaceId: SpaceId, taken: number): Promise<void> {
  const takes = await findTakes(tx, spaceId);
  if (takes !== undefined && takes > taken) await tx.enqueue(clipJob, spaceId);
}
