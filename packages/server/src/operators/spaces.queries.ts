import type { SpaceState } from '@spaceport/contract/spaces';
import { afterCursor, upToCursor } from '../platform/db/after-cursor.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { type SpaceView, selectViews } from '../spaces/spaces.ts';
import { anyContains } from './contains.queries.ts';
import { findInPieces, type Piece } from './find-in-pieces.ts';

/**
 * Returns spaces, newest first.
 * @param words folded as for the search; empty for all spaces
 */
export async function findSpaces(
  db: Db,
  { words, state }: { words: string; state: SpaceState | undefined },
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<SpaceView[]> {
  const find = (piece: Piece, most: number) => {
    let query = selectViews(db).orderBy('space.created_at', 'desc').orderBy('space.id', 'desc').limit(most);
    if (state) query = query.where('space.state', '=', state);
    if (words !== '')
      query = query.where(anyContains(['space.slug', 'space.search_title', 'owner.handle'], words));
    if (piece.after) query = query.where(afterCursor('space.created_at', 'space.id', piece.after));
    if (piece.upTo) query = query.where(upToCursor('space.created_at', 'space.id', piece.upTo));
    return query.execute();
  };
  if (words === '') return find({ after, upTo: null }, limit);
  return findInPieces({ after, limit }, (from, rows) => findSpaceAt(db, state, from, rows), find);
}

/** Returns the space that is so many rows after another one in the list of a state, or of all. */
async function findSpaceAt(
  db: Db,
  state: SpaceState | undefined,
  after: Cursor | null,
  rows: number,
): Promise<Cursor | null> {
  let query = db
    .selectFrom('spaces')
    .select(['created_at as value', 'id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(rows - 1)
    .limit(1);
  if (state) query = query.where('state', '=', state);
  if (after) query = query.where(afterCursor('created_at', 'id', after));
  return (await query.executeTakeFirst()) ?? null;
}
