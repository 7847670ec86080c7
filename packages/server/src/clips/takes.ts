import type { readTakes as readOperation } from '@spaceport/contract/covers';
import type { AnswerOf } from '@spaceport/contract/operation';
import { pictureSize } from '../platform/browser/visit.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { ownView } from '../spaces/space-view.ts';
import { listTakes } from './clips.queries.ts';
import { takePath } from './pictures.ts';

/**
 * Returns the pictures of a space that its owner can choose a cover from, newest first.
 * @throws `not_found`
 */
export async function readTakes(
  { database: { db }, urls }: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<AnswerOf<typeof readOperation>> {
  const space = await ownView(db, slug, caller);
  const takes = await listTakes(db, space.id);
  return {
    after_seconds: space.clip_after_seconds,
    takes: takes.map(({ take, taken_at }) => ({
      take,
      url: `${urls.app}${takePath(space.id, take)}`,
      ...pictureSize,
      taken_at: toTimestamp(taken_at),
    })),
  };
}
