import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../platform/db/database.ts';
import { countTokenPieces, mergeTokens } from '../platform/db/dialect.ts';

/** With eight pieces a search takes twice as long as with one. */
const mostPieces = 4;
const fewPieces = 2;
/** A hundred thousand spaces take four hundred steps. */
const mostSteps = 10_000;

/** Merges the pieces of the index when changes have left many, in short steps. Requests go on meanwhile. */
export async function mergeSearch(database: Database): Promise<void> {
  if ((await countTokenPieces(database.db)) <= mostPieces) return;
  for (let step = 0; step < mostSteps; step++) {
    await database.transaction(mergeTokens);
    if ((await countTokenPieces(database.db)) <= fewPieces) return;
    await nextTurn();
  }
}
