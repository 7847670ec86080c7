import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Cursor } from '../platform/http/cursor.ts';
import { findInPieces, type Piece } from './find-in-pieces.ts';

const cursor = (value: number): Cursor => ({ value, id: 'id' });

it('a list is looked through in pieces, no further than to the last row wanted', async () => {
  const asked: [Piece, number][] = [];
  // A list of 12,000, from 12,000 down to 1, of which each 3,000th is found.
  const found = await findInPieces(
    { after: null, limit: 3 },
    async (after, rows) => {
      const end = (after?.value ?? 12_001) - rows;
      return end < 1 ? null : cursor(end);
    },
    async (piece, limit) => {
      asked.push([piece, limit]);
      const within = [12_000, 9_000, 6_000, 3_000].filter(
        (value) => value < (piece.after?.value ?? Infinity) && value >= (piece.upTo?.value ?? 0),
      );
      return within.slice(0, limit);
    },
  );
  assert.deepEqual(found, [12_000, 9_000, 6_000]);
  assert.deepEqual(asked, [
    [{ after: null, upTo: cursor(7_001) }, 3],
    [{ after: cursor(7_001), upTo: cursor(2_001) }, 1],
  ]);
});
