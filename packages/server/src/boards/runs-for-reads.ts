import type { Database } from '../platform/db/database.ts';
import type { Era } from '../platform/db/era.ts';
import { type EraKeeper, keeperOfEra, leastLooks } from './kept-rankings.ts';
import { countBelow, keepIn } from './kept-runs.ts';
import type { Place } from './ranking.ts';
import { findRankings, type RankingName } from './rankings.queries.ts';
import { findRuns } from './runs.queries.ts';

/** Where an entry is in its ranking, as one statement has read it. */
export interface PlaceInSegment {
  readonly rankingId: number;
  /** The low end of its segment. */
  readonly segment: Place;
  /** How many entries of the segment are up to it, with itself. */
  readonly upTo: number;
}

/**
 * Counts the rank of an entry that is read outside a transaction, with the runs that transactions keep in memory. What
 * was read is of the last commit. The runs are of the last commit, too, if no transaction had changes of runs open when
 * this object was made, and if neither this process nor another one has changed anything since.
 */
export class RunsForReads {
  readonly #era: Pick<Era, 'now'>;
  readonly #key: object;
  readonly #keeper: EraKeeper;
  readonly #changes: number;
  readonly #name: RankingName;
  /** The name of the ranking as the keeper knows it. */
  readonly #known: string;

  private constructor(era: Pick<Era, 'now'>, key: object, name: RankingName, changes: number) {
    this.#era = era;
    this.#key = key;
    this.#keeper = keeperOfEra(key);
    this.#changes = changes;
    this.#name = name;
    this.#known = `${name.boardId} ${name.window}`;
  }

  /** Call it right before a read. Returns null if nothing may be kept, or if the runs are changing. */
  static before({ era }: Pick<Database, 'era'>, name: RankingName): RunsForReads | null {
    if (era === null) return null;
    const key = era.latest();
    const { changes } = keeperOfEra(key);
    return changes === null ? null : new RunsForReads(era, key, name, changes);
  }

  /** Returns whether the runs of the ranking are probably kept. */
  areKept(): boolean {
    const id = this.#keeper.names.get(this.#known);
    return id !== undefined && this.#keeper.kept.has(id);
  }

  /** Returns the rank of the entry, and how many entries the ranking has; null if the runs do not tell it. */
  rankOf({ rankingId, segment, upTo }: PlaceInSegment): { rank: number; total: number } | null {
    if (this.#isOver()) return null;
    const kept = this.#keeper.kept.get(rankingId);
    if (!kept) {
      // Another ranking has the name now.
      this.#keeper.names.delete(this.#known);
      return null;
    }
    const group = kept.groups.low(kept.groups.at(segment));
    const below = countBelow(kept, kept.segments.at(segment), group);
    return { rank: below + upTo, total: kept.groups.sum(0, kept.groups.length) };
  }

  /** Counts a read for which the runs are not kept. After some of them the runs are read, and kept. */
  async missed({ db }: Pick<Database, 'db'>): Promise<void> {
    const { names, reads, kept } = this.#keeper;
    const missed = (reads.get(this.#known) ?? 0) + 1;
    reads.set(this.#known, missed % leastLooks);
    // The number of a ranking that is too large stays NaN.
    if (!(missed >= leastLooks)) return;
    const [ranking] = await findRankings(db, [this.#name.boardId], [this.#name.window]);
    if (!ranking) return;
    const runs = kept.has(ranking.id) ? null : await findRuns({ db }, ranking.id);
    if (this.#isOver()) return;
    if (runs !== null) keepIn(this.#keeper, ranking.id, runs);
    if (kept.has(ranking.id)) names.set(this.#known, ranking.id);
    else reads.set(this.#known, Number.NaN);
  }

  #isOver(): boolean {
    return this.#keeper.changes !== this.#changes || this.#era.now() !== this.#key;
  }
}
