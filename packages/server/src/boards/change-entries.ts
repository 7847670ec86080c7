import { lockAll } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { must, mustAt } from '../platform/must.ts';
import { borrowRuns, returnRuns } from './borrow-runs.ts';
import { deleteEntries, type EntryName, putEntries } from './entries.queries.ts';
import type { Place } from './ranking.ts';
import { addCounts } from './runs.queries.ts';
import type { LocatedPlace, RankedPlace } from './runs.ts';
import { locate, ranksOf } from './segments.queries.ts';
import { balance, countChanges } from './segments.ts';

/** An entry that is added (`before` is null), moved or removed (`after` is null). */
export interface EntryChange extends EntryName {
  readonly before: Place | null;
  readonly after: Place | null;
}

/**
 * Locks the rankings of these spaces until the transaction ends. Code that writes submissions, bans or
 * entries of a board, or changes its rules, takes this lock first. Reads after that stay valid.
 */
export async function lockRankings(tx: Tx, spaceIds: Iterable<SpaceId>): Promise<void> {
  await lockAll(tx, Array.from(new Set(spaceIds), rankingsLock));
}

/** Returns the name of the lock, for code that takes it together with other locks. */
export function rankingsLock(spaceId: SpaceId): string {
  return `rankings:${spaceId}`;
}

/**
 * Changes entries and the counts that ranks are computed from. The caller holds the rankings' lock. Returns the
 * ranks of `places` after the change. `places` are places of entries that exist then.
 */
export async function changeEntries(
  tx: Tx,
  changes: readonly EntryChange[],
  { segmentSize, places = [] }: { segmentSize: number; places?: readonly RankedPlace[] },
): Promise<number[]> {
  const moved = changes.flatMap(({ rankingId, before, after }) => [
    ...(before === null ? [] : [{ rankingId, ...before, by: -1 }]),
    ...(after === null ? [] : [{ rankingId, ...after, by: 1 }]),
  ]);
  // Without ranks to compute, knowing the runs saves too little.
  if (places.length > 0)
    await borrowRuns(
      tx,
      places.map(({ rankingId }) => rankingId),
    );
  const [findIn] = await Promise.all([
    locateAll(tx, [...moved, ...places]),
    putEntries(
      tx,
      changes.flatMap(({ after, ...name }) => (after === null ? [] : [{ ...name, place: after }])),
    ),
    deleteEntries(
      tx,
      changes.filter(({ after }) => after === null),
    ),
  ]);
  const counted = await addCounts(
    tx,
    countChanges(moved.map((place) => ({ ...findIn(place), by: place.by }))),
  );
  const ranks = await ranksOf(tx, places.map(findIn));
  await balance(tx, counted, segmentSize);
  if (places.length > 0) await returnRuns(tx);
  return ranks;
}

/**
 * Finds the runs that places are in. Each place is looked up once: the new place of an entry is usually
 * also one of the places to rank.
 */
async function locateAll(
  tx: Tx,
  places: readonly RankedPlace[],
): Promise<(place: RankedPlace) => LocatedPlace> {
  const unique: RankedPlace[] = [];
  // Keyed by the submission alone, which is in only a few rankings. A key of all three parts would have to be
  // built as text for each look-up.
  const known = new Map<number, number[]>();
  for (const place of places) {
    const same = known.get(place.submissionId);
    if (same?.some((at) => isSame(mustAt(unique, at), place))) continue;
    if (same) same.push(unique.length);
    else known.set(place.submissionId, [unique.length]);
    unique.push(place);
  }
  const located = await locate(tx, unique);
  return (place) => {
    for (const at of must(known, place.submissionId))
      if (isSame(mustAt(unique, at), place)) return mustAt(located, at);
    throw new Error('a place that was not looked up');
  };
}

function isSame(one: RankedPlace, other: RankedPlace): boolean {
  return (
    one.submissionId === other.submissionId &&
    one.rankingId === other.rankingId &&
    one.sortKey === other.sortKey
  );
}
