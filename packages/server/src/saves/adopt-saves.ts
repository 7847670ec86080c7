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
  findStandings,
  type MovedSave,
  moveSaves,
  ownerKey,
  putCounters,
  putSaves,
  type SaveOwner,
  type SaveRow,
  type StandingRow,
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
  const known = Map.groupBy(await findStandings(tx, [...owners, ...places]), ownerKey);
  const adoptions = places.map((from, index): Adoption => {
    const owner = mustAt(owners, index);
    // The next version is above both counters, so that a version number is never used twice.
    const before = Math.max(0, ...[owner, from].flatMap((one) => counters.get(ownerKey(one)) ?? []));
    return compare(
      { from, owner, before, now: tx.now },
      known.get(ownerKey(from)) ?? [],
      known.get(ownerKey(owner)) ?? [],
    );
  });
  await moveSaves(
    tx,
    { from: guestId, to: accountId },
    adoptions.flatMap(({ moved }) => moved),
  );
  for (const { from, owner, met } of adoptions)
    for (const one of met) await settle(tx, one, await pairOf(tx, from, owner, one.slot));
  await putCounters(
    tx,
    adoptions.flatMap(({ owner, last }) => (last > 0 ? [{ owner, version: last }] : [])),
  );
  await adoptLosers(tx, guestId, places, accountId);
  await deleteSavesOf(tx, guestId);
  return adoptions.map(({ result }) => result);
}

/** What is done in one place. */
interface Adoption {
  readonly from: SaveOwner;
  readonly owner: SaveOwner;
  /** The last version that is given in the place; 0 for none. */
  readonly last: number;
  /** Saves whose slots are empty. */
  readonly moved: readonly MovedSave[];
  /** Slots in which both have different saves, with the version of the guest's; null where the account's own stays. */
  readonly met: readonly { readonly slot: string; readonly version: number | null }[];
  readonly result: AdoptedSaves;
}

/**
 * Compares the saves of both, slot by slot.
 * @param place.before the last version that was given in the place; 0 for none
 */
function compare(
  place: { from: SaveOwner; owner: SaveOwner; before: number; now: number },
  brought: readonly StandingRow[],
  own: readonly StandingRow[],
): Adoption {
  const { from, owner, before, now } = place;
  const bySlot = new Map(own.map((save) => [save.slot, save]));
  const inOrder = brought.toSorted((one, other) => (one.slot < other.slot ? -1 : 1));
  const result: AdoptedSaves = { spaceId: from.spaceId, env: from.env, taken: [], kept: [] };
  const moved: MovedSave[] = [];
  const met: { slot: string; version: number | null }[] = [];
  let last = before;
  for (const save of inOrder) {
    const { slot } = save;
    const theirs = bySlot.get(slot);
    const verdict: Brought = broughtAlong(theirs, save);
    if (verdict === 'same') continue;
    if (verdict === 'taken') {
      last = nextVersion(last === 0 ? undefined : last, now);
      result.taken.push(slot);
    }
    const version = verdict === 'taken' ? last : null;
    if (theirs) result.kept.push(slot);
    if (theirs || version === null) met.push({ slot, version });
    else moved.push({ spaceId: from.spaceId, env: from.env, slot, version });
  }
  return { from, owner, last, moved, met, result };
}

/** Returns the saves of both in a slot, with their content. */
async function pairOf(
  tx: Tx,
  from: SaveOwner,
  owner: SaveOwner,
  slot: string,
): Promise<{ owner: SaveOwner; brought: SaveRow; own: SaveRow }> {
  const brought = await findSave(tx.db, from, slot);
  const own = await findSave(tx.db, owner, slot);
  if (!brought || !own) throw new Error('a save that was there a moment ago is gone');
  return { owner, brought, own };
}

/** Keeps the older of two saves as a loser. */
async function settle(
  tx: Tx,
  { slot, version }: { readonly slot: string; readonly version: number | null },
  { owner, brought, own }: { owner: SaveOwner; brought: SaveRow; own: SaveRow },
): Promise<void> {
  const content = contentOfRow(brought);
  if (version === null) {
    const loser = { owner, slot, content, at: brought.at, lostTo: own.version };
    return keepLoser(tx, loser, Number.POSITIVE_INFINITY);
  }
  await keepReplaced(tx, owner, own, Number.POSITIVE_INFINITY);
  await putSaves(tx, [{ owner, slot, version, content, at: brought.at }]);
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
