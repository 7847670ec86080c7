import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../platform/db/database.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { findIdsAfter, findKnownOf, findRules, indexSpaces, setRules } from './index.queries.ts';

/**
 * Counts up whenever other words or tokens are made of a text: then everything is indexed anew, once. So it is after an
 * update that brought the search, and after a restore, as backups leave the index out.
 */
const rules = 1;
const atOnce = 100;

/** Indexes every space if that was not done by these rules, some at a time, beside whatever else goes on. */
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

/** Some ten milliseconds: whoever else asks the process something waits no longer. */
const inOneTurn = 20;

/** The spaces of an account are found by another name from now on: in the transaction that changes it. */
export async function indexSpacesOf(tx: Tx, ownerId: AccountId): Promise<void> {
  const ids = await findKnownOf(tx, ownerId);
  for (let from = 0; from < ids.length; from += inOneTurn) {
    await indexSpaces(tx, ids.slice(from, from + inOneTurn));
    await nextTurn();
  }
}
