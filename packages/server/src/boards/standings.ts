import type { PlayerId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { mustAt } from '../platform/must.ts';
import { type EntryName, findPlaces } from './entries.queries.ts';
import type { Place } from './ranking.ts';

/** A player's standing in one ranking. */
export interface Standing extends EntryName {
  /** The place before the scores of this transaction; null without an entry. */
  before: Place | null;
  /** The place after the scores that were entered so far; null before the first one. */
  after: Place | null;
}

/**
 * The standings of the players whose scores a transaction enters, one for each ranking and player. Code keeps
 * and compares these objects: a key for each look-up would have to be built as text.
 */
export class Standings {
  readonly #byRanking = new Map<number, Map<PlayerId, Standing>>();
  readonly #all: Standing[] = [];

  /** Returns a player's standing in a ranking. The first call for it adds it. */
  of(rankingId: number, playerId: PlayerId): Standing {
    let byPlayer = this.#byRanking.get(rankingId);
    if (!byPlayer) {
      byPlayer = new Map();
      this.#byRanking.set(rankingId, byPlayer);
    }
    const known = byPlayer.get(playerId);
    if (known) return known;
    const standing: Standing = { rankingId, playerId, before: null, after: null };
    byPlayer.set(playerId, standing);
    this.#all.push(standing);
    return standing;
  }

  /** Reads the places of all standings that were added. */
  async read(tx: Tx): Promise<void> {
    const places = await findPlaces(tx, this.#all);
    for (const [at, standing] of this.#all.entries()) {
      const place = mustAt(places, at);
      standing.before = place;
      standing.after = place;
    }
  }

  /** Returns the standings that changed. */
  changed(): Standing[] {
    return this.#all.filter(({ before, after }) => before !== after);
  }
}
