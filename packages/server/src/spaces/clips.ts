import { recapturesPerHour } from '@spaceport/contract/listing';
import { sql } from 'kysely';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { takeFromLimit } from '../platform/limits/rate-limit.ts';
import { rateLimited } from './listing-errors.ts';
import type { MovePlatform } from './listing-platform.ts';
import { requestPageSync } from './page-sync.ts';
import { ownView, type StoredClip, type StoredCover } from './space-view.ts';
import type { SpaceRow } from './spaces.queries.ts';
import { requireOnService } from './spaces.ts';

/** Taking the picture of a space: `ref` is the space's id, the take to show is the space's `takes`. */
export const clipJob = 'clip';

/**
 * Asks for a new picture of the space; answers its number, or null where this server has no browser. Requests that
 * come while one waits are one job, which takes the newest.
 */
export async function requestClip(tx: Tx, space: Pick<SpaceRow, 'id'>): Promise<number | null> {
  if (tx.config.BROWSER === 'none') return null;
  const { takes } = await tx.db
    .updateTable('spaces')
    // No new revision: a picture is nothing that an If-Match or a move has to mind.
    .set({ takes: sql<number>`takes + 1` })
    .where('id', '=', space.id)
    .returning('takes')
    .executeTakeFirstOrThrow();
  await tx.enqueue(clipJob, space.id);
  return takes;
}

/** Makes a picture that was taken the one that answers show. */
export async function recordClip(tx: Tx, spaceId: string, clip: StoredClip): Promise<void> {
  await tx.db
    .updateTable('spaces')
    .set({ clip: JSON.stringify(clip) })
    .where('id', '=', spaceId)
    .execute();
}

/** Makes a picture of the owner's own the one that answers show; null for the clip again. */
export async function recordCover(tx: Tx, spaceId: string, cover: StoredCover | null): Promise<void> {
  await tx.db
    .updateTable('spaces')
    .set({ cover: cover && JSON.stringify(cover) })
    .where('id', '=', spaceId)
    .execute();
}

/** Has the next picture taken where one was asked for after number `taken`. */
export async function renewClip(tx: Tx, spaceId: string, taken: number): Promise<void> {
  const space = await tx.db.selectFrom('spaces').select('takes').where('id', '=', spaceId).executeTakeFirst();
  if (space && space.takes > taken) await tx.enqueue(clipJob, spaceId);
}

export interface RequestedClip {
  readonly take: number;
  readonly requestedAt: number;
}

/** The owner asks for a new picture. Throws `not_found`, `removed`, `held`, `rate_limited` and `failed`. */
export async function recapture(
  platform: MovePlatform,
  caller: CreatorCaller,
  slug: string,
): Promise<RequestedClip> {
  const { database, clock, canTakePictures } = platform;
  const space = await ownView(database.db, slug, caller);
  requireOnService(space);
  if (!(await canTakePictures())) throw noBrowser();
  const now = clock.now();
  const limit = { count: recapturesPerHour, seconds: 3600 };
  const take = await database.transaction(async (tx) => {
    const take = await requestClip(tx, space);
    if (take === null) throw noBrowser();
    const answer = await takeFromLimit(tx, `clip:${space.id}`, limit, now);
    if (!answer.allowed) {
      const message = `The space used its ${limit.count} new pictures of the hour.`;
      throw rateLimited(message, answer.retryAfterSeconds);
    }
    if (space.hosted === 0) await requestPageSync(tx, space.id, now);
    return take;
  });
  return { take, requestedAt: now };
}

function noBrowser(): ServiceError {
  return new ServiceError('failed', 'This server has no browser to take pictures with.');
}
