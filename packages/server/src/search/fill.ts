import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../platform/db/database.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import { findIdsAfter, findKnownOf, findRules, indexSpaces, setRules } from './index.queries.ts';

/**
 * Increase this number whenever words or tokens are made differently: everything is indexed again
 * then, once. The same happens after an update that brought the search, and after a restore, because
 * backups leave out the index.
 */
const rules = 5;
const atOnce = 100;

/** Indexes every space in batches if that was not done by these rules. Requests go on meanwhile. */
export async function fillSearch(database: Database): Promise<void> {
  if ((await findRules(database.db)) === rules) return;
  let after: SpaceId | null = null;
  for (;;) {
    const ids: SpaceId[] = await findIdsAfter(database.db, after, atOnce);
    await database.transaction((tx) => indexSpaces(tx, ids));
    after = ids.at(-1) ?? null;
    if (ids.length < atOnce) break;
  }
  await database.transaction((tx) => setRules(tx, rules));
}

/**
 * The number of spaces that are indexed in one turn of the event loop: some ten milliseconds, in
 * which other requests wait.
 */
const inOneTurn = 20;

/** Indexes the spaces of an account again after its name changed, in the same transaction. */
export async function indexSpacesOf(tx: Tx, ownerId: AccountId): Promise<void> {
  const ids = await findKnownOf(tx, ownerId);
  // Searches find these spaces by another name, or no longer.
  if (ids.length > 0) announceShown(tx, 'spaces');
  for (let from = 0; from < ids.length; from += inOneTurn) {
    await indexSpaces(tx, ids.slice(from, from + inOneTurn));
    await nextTurn();
  }
}
