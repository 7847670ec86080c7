import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cursor } from '../platform/http/cursor.ts';

/** SQLite looks through as many in some ten milliseconds. */
const rowsAtOnce = 5_000;

/** A part of a list: `after` is excluded, and `upTo` is included; null where the list begins or ends. */
export interface Piece {
  readonly after: Cursor | null;
  readonly upTo: Cursor | null;
}

/**
 * Returns the first rows of a list that a condition finds which no index knows. It looks through the list in pieces:
 * one statement for a million rows would keep SQLite from all other requests for seconds.
 * @param endOf returns the last row of a piece of so many rows; null if fewer are left
 */
export async function findInPieces<Row>(
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
  endOf: (after: Cursor | null, rows: number) => Promise<Cursor | null>,
  find: (piece: Piece, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let begin = after; ; ) {
    const upTo = await endOf(begin, rowsAtOnce);
    found.push(...(await find({ after: begin, upTo }, limit - found.length)));
    if (upTo === null || found.length === limit) return found;
    begin = upTo;
    await nextTurn();
  }
}
