import type { SpaceId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { StoredClip, StoredCover } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { countTake, findTakes, setPicture } from './pictures.queries.ts';
import type { SpaceRow } from './spaces.queries.ts';

/** Taking the picture of a space: `ref` is the space's id, the take to show is the space's `takes`. */
export const clipJob = 'clip';

/**
 * Asks for a new picture of the space; returns its number, or null if this server has no browser. Requests that come
 * while one waits become one job, which takes the newest.
 */
export async function requestClip(tx: Tx, space: Pick<SpaceRow, 'id'>): Promise<number | null> {
  if (tx.config.BROWSER === 'none') return null;
  const takes = await countTake(tx, space.id);
  await tx.enqueue(clipJob, space.id);
  return takes;
}

/** Has this and every later picture of the space taken so long after its page has loaded. */
export async function setClipMoment(tx: Tx, spaceId: SpaceId, afterSeconds: number): Promise<void> {
  await setPicture(tx, spaceId, { clip_after_seconds: afterSeconds });
}

/** Makes a picture that was taken the one that answers show. */
export async function recordClip(tx: Tx, spaceId: SpaceId, clip: StoredClip): Promise<void> {
  await setPicture(tx, spaceId, { clip: toJson(clip) });
}

/** Has answers show a picture of the owner's own; null: the clip again. */
export async function recordCover(tx: Tx, spaceId: SpaceId, cover: StoredCover | null): Promise<void> {
  await setPicture(tx, spaceId, { cover: cover && toJson(cover) });
}

/** Has the next picture taken if one was asked for after number `taken`. */
export async function renewClip(tx: Tx, spaceId: SpaceId, taken: number): Promise<void> {
  const takes = await findTakes(tx, spaceId);
  if (takes !== undefined && takes > taken) await tx.enqueue(clipJob, spaceId);
}
