import type { SpaceState } from '@spaceport/contract/spaces';
import { afterCursor } from '../platform/db/after-cursor.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { type SpaceView, selectViews } from '../spaces/spaces.ts';
import { anyContains } from './contains.queries.ts';

/**
 * Returns spaces, newest first.
 * @param words folded as for the search; empty for all spaces
 */
export async function findSpaces(
  db: Db,
  { words, state }: { words: string; state: SpaceState | undefined },
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<SpaceView[]> {
  let query = selectViews(db).orderBy('space.created_at', 'desc').orderBy('space.id', 'desc').limit(limit);
  if (state) query = query.where('space.state', '=', state);
  if (words !== '')
    query = query.where(anyContains(['space.slug', 'space.search_title', 'owner.handle'], words));
  if (after) query = query.where(afterCursor('space.created_at', 'space.id', after));
  return query.execute();
}
