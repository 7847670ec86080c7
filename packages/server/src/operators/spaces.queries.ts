import type { SpaceState } from '@spaceport/contract/spaces';
import { type SqlBool, sql } from 'kysely';
import { afterCursor, upToCursor } from '../platform/db/after-cursor.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { type SpaceView, selectViews } from '../spaces/spaces.ts';
import { anyContains } from './contains.queries.ts';
import { findInPieces, type Piece } from './find-in-pieces.ts';
import { findRowAfter } from './row-after.queries.ts';

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
  const only = state ? sql<SqlBool>`state = ${state}` : null;
  return findInPieces(
    { after, limit },
    (from, rows) => findRowAfter(db, 'spaces', { after: from, rows, only }),
    find,
  );
}
