import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../platform/db/database.ts';
import { countTokenPieces, mergeTokens } from '../platform/db/dialect.ts';

/** With eight a search takes twice as long as with one. */
const mostPieces = 4;
const fewPieces = 2;
/** A hundred thousand spaces take four hundred. */
const mostSteps = 10_000;

/** Brings the index into few pieces where changes have left many, a little at a time, beside whatever else goes on. */
export async function mergeSearch(database: Database): Promise<void> {
  if ((await countTokenPieces(database.db)) <= mostPieces) return;
  for (let step = 0; step < mostSteps; step++) {
    await database.transaction(mergeTokens);
    if ((await countTokenPieces(database.db)) <= fewPieces) return;
    await nextTurn();
  }
}
