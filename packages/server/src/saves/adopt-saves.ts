import { lockAll } from '../platform/db/dialect.ts';
import type { AccountId, GuestId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { mustAt } from '../platform/must.ts';
import { keepLoser, keepReplaced, trimLosers } from './keep-losers.ts';
import { findLosers, moveLosers } from './losers.queries.ts';
import { type Brought, broughtAlong, nextVersion } from './save-rules.ts';
import { contentOfRow } from './saved-content.ts';
import {
  deleteSavesOf,
  findCounters,
  findPlaces,
  findSave,
  findSavesWithData,
  ownerKey,
  putCounters,
  putSaves,
  type SaveOwner,
} from './saves.queries.ts';
import { savesLock } from './write-saves.ts';

/** The results of adopting a guest's saves in one place, by their slots. */
export interface AdoptedSaves {
  readonly spaceId: SpaceId;
  readonly env: Env;
  /** Slots in which the guest's save now is the current one. */
  readonly taken: string[];
  /** Slots in which both had different saves. The older one is kept as a loser. */
  readonly kept: string[];
}

/**
 * Gives a guest's saves to an account. In each slot the newer of the two saves becomes the current one, and
 * the other is kept as a loser. The guest is adopted already, and writes nothing more.
 */
export async function adoptSaves(tx: Tx, guestId: GuestId, accountId: AccountId): Promise<AdoptedSaves[]> {
  const places = await findPlaces(tx.db, guestId);
  if (places.length === 0) return [];
  await lockAll(
    tx,
    places.map((place) => savesLock({ ...place, playerId: accountId })),
  );
  const owners = places.map((place): SaveOwner => ({ ...place, playerId: accountId }));
  const counters = await findCounters(tx, [...owners, ...places]);
  const results: AdoptedSaves[] = [];
  const newCounters: { owner: SaveOwner; version: number }[] = [];
  for (const [index, from] of places.entries()) {
    const owner = mustAt(owners, index);
    // The next version is above both counters, so that a version number is never used twice.
    const before = Math.max(0, ...[owner, from].flatMap((one) => counters.get(ownerKey(one)) ?? []));
    const { last, result } = await adoptPlace(tx, from, owner, before);
    if (last > 0) newCounters.push({ owner, version: last });
    results.push(result);
  }
  await putCounters(tx, newCounters);
  await adoptLosers(tx, guestId, places, accountId);
  await deleteSavesOf(tx, guestId);
  return results;
}

/** Gives the losers of a guest to the account, of which only the newest are kept in each place. */
async function adoptLosers(
  tx: Tx,
  guestId: GuestId,
  places: readonly SaveOwner[],
  accountId: AccountId,
): Promise<void> {
  const withLosers = new Set((await findLosers(tx, places)).map(ownerKey));
  if (withLosers.size === 0) return;
  await moveLosers(tx, guestId, accountId);
  for (const place of places)
    if (withLosers.has(ownerKey(place)))
      await trimLosers(tx, { ...place, playerId: accountId }, Number.POSITIVE_INFINITY);
}

/** @param before the last version that was given in the place */
async function adoptPlace(
  tx: Tx,
  from: SaveOwner,
  owner: SaveOwner,
  before: number,
): Promise<{ last: number; result: AdoptedSaves }> {
  let last = before;
  const result: AdoptedSaves = { spaceId: from.spaceId, env: from.env, taken: [], kept: [] };
  for (const brought of await findSavesWithData(tx.db, from)) {
    const { slot } = brought;
    const own = await findSave(tx.db, owner, slot);
    const verdict: Brought = broughtAlong(own, brought);
    if (verdict === 'same') continue;
    if (verdict === 'taken') {
      last = nextVersion(last === 0 ? undefined : last, tx.now);
      if (own) await keepReplaced(tx, owner, own, Number.POSITIVE_INFINITY);
      await putSaves(tx, [{ owner, slot, version: last, content: contentOfRow(brought), at: brought.at }]);
      result.taken.push(slot);
    } else {
      const loser = {
        owner,
        slot,
        content: contentOfRow(brought),
        at: brought.at,
        lostTo: own?.version ?? 0,
      };
      await keepLoser(tx, loser, Number.POSITIVE_INFINITY);
    }
    if (own) result.kept.push(slot);
  }
  return { last, result };
}
