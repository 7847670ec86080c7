import type { PlayerId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { EntryName } from './entries.queries.ts';
import { findEntries } from './entries.queries.ts';
import { type Place, type RankingRules, standingAfter } from './ranking.ts';

/** A player's standing in one ranking. */
export interface Standing extends EntryName {
  /** The place before the scores of this transaction; null without an entry. */
  readonly before: Place | null;
  /** The place after the scores that were entered so far; null before the first one. */
  readonly after: Place | null;
}

type ChangingStanding = { -readonly [Name in keyof Standing]: Standing[Name] };

/**
 * The standings of the players whose scores a transaction enters, one for each ranking and player. Code keeps
 * and compares these objects: a key for each look-up would have to be built as text.
 */
export class Standings {
  readonly #byRanking = new Map<number, Map<PlayerId, ChangingStanding>>();
  readonly #all: ChangingStanding[] = [];

  /** Returns a player's standing in a ranking. The first call for it adds it. */
  of(rankingId: number, playerId: PlayerId): Standing {
    return this.#of(rankingId, playerId);
  }

  /** Reads the places of all standings that were added. */
  async read(tx: Tx): Promise<void> {
    for (const { rankingId, playerId, place } of await findEntries(tx, this.#all)) {
      const standing = this.#of(rankingId, playerId);
      standing.before = place;
      standing.after = place;
    }
  }

  /** Enters a score whose submission is written. */
  enter(
    { rankingId, playerId }: Standing,
    rules: RankingRules,
    submission: { id: number; score: number },
  ): void {
    const standing = this.#of(rankingId, playerId);
    standing.after = standingAfter(rules, standing.after ?? undefined, submission);
  }

  /** Returns the standings that changed. */
  changed(): Standing[] {
    return this.#all.filter(({ before, after }) => before !== after);
  }

  #of(rankingId: number, playerId: PlayerId): ChangingStanding {
    let byPlayer = this.#byRanking.get(rankingId);
    if (!byPlayer) {
      byPlayer = new Map();
      this.#byRanking.set(rankingId, byPlayer);
    }
    const known = byPlayer.get(playerId);
    if (known) return known;
    const standing: ChangingStanding = { rankingId, playerId, before: null, after: null };
    byPlayer.set(playerId, standing);
    this.#all.push(standing);
    return standing;
  }
}
