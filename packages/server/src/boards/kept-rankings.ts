import type { DialectAdapter } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tx } from '../platform/db/tx.ts';
import type { Runs } from './runs.ts';

/** The runs of a ranking in memory. */
export interface KeptRanking {
  readonly segments: Runs;
  readonly groups: Runs;
}

/** The rankings that are in memory for a transaction. */
export interface Keeper {
  readonly kept: Pick<Map<number, KeptRanking>, 'get' | 'has' | 'delete'> & {
    set(rankingId: number, runs: KeptRanking): unknown;
  };
  /** The number of look-ups in a ranking that is not kept; NaN for one that is too large. */
  readonly looks: LRUCache<number, number>;
  /** Returns after how many look-ups it pays to read all runs of a ranking; infinite if they may not be kept. */
  looksUntilKept(rankingId: number): number;
  /** Is called when the transaction has written runs of the ranking. */
  changed(rankingId: number, tx: Tx): void;
}

export const leastLooks = 32;
/** The most runs that are kept of all rankings, at about 24 bytes each. */
const mostRunsInAll = 131_072;
const mostCounted = 10_000;

const sizeOf = ({ segments, groups }: KeptRanking) => segments.length + groups.length + 1;

/**
 * Returns what is kept for the transaction; null if nothing may be. Where one process writes, everything is
 * kept that its era knows. Where several write, only what `borrowRuns` has compared with the database.
 */
export function keeperOf(tx: Tx): Keeper | null {
  const era = tx.era();
  return era === null ? (borrowers.get(tx) ?? null) : keeperOfEra(era);
}

/** What is kept in an era. Reads outside a transaction may use it, too (`RunsForReads`). */
export class EraKeeper implements Keeper {
  readonly kept = new LRUCache<number, KeptRanking>({
    maxSize: mostRunsInAll,
    sizeCalculation: sizeOf,
  });
  readonly looks = new LRUCache<number, number>({ max: mostCounted });
  /** The ids of kept rankings that were read, by their board and window. */
  readonly names = new LRUCache<string, number>({ max: mostCounted });
  /** How often rankings were read that are not kept, by the same names; NaN for one that is too large. */
  readonly reads = new LRUCache<string, number>({ max: mostCounted });
  #changes = 0;
  #changing: Tx | null = null;

  /** The number of changes so far; null while a transaction that has made one is open. */
  get changes(): number | null {
    return this.#changing === null ? this.#changes : null;
  }

  looksUntilKept(): number {
    return leastLooks;
  }

  changed(_rankingId: number, tx: Tx): void {
    this.#changes += 1;
    if (this.#changing === tx) return;
    this.#changing = tx;
    // A transaction that is undone ends the era.
    tx.afterCommit(() => {
      this.#changing = null;
    });
  }
}

const eras = new WeakMap<object, EraKeeper>();

export function keeperOfEra(era: object): EraKeeper {
  let keeper = eras.get(era);
  if (!keeper) {
    keeper = new EraKeeper();
    eras.set(era, keeper);
  }
  return keeper;
}

/** What transactions on a database that several processes write to have left for the next ones. */
class SharedRankings {
  readonly rankings = new LRUCache<number, { readonly runs: KeptRanking; readonly changes: number }>({
    maxSize: mostRunsInAll,
    sizeCalculation: ({ runs }) => sizeOf(runs),
  });
  readonly looks = new LRUCache<number, number>({ max: mostCounted });
  /** More than `leastLooks` for rankings that other processes write to as well: what is kept is soon of no use. */
  readonly patience = new LRUCache<number, number>({ max: mostCounted });
}

const mostLooks = 4_096;

/** The shared rankings of each database, by the same key as its prepared statements. */
const shared = new WeakMap<DialectAdapter, SharedRankings>();
const borrowers = new WeakMap<Tx, Borrower>();

/**
 * Takes rankings out of those that are shared, for one transaction. They come back only if it commits: a
 * transaction that is undone, or one beside it, cannot leave or see wrong counts.
 */
export class Borrower implements Keeper {
  readonly kept = new Map<number, KeptRanking>();
  readonly #shared: SharedRankings;
  readonly #compared = new Set<number>();
  /** The number of changes of each ranking as this transaction leaves it. */
  readonly #changes = new Map<number, number>();

  private constructor(from: SharedRankings) {
    this.#shared = from;
  }

  static of(tx: Tx): Borrower {
    let borrower = borrowers.get(tx);
    if (!borrower) {
      const { adapter } = tx.db.getExecutor();
      const from = shared.get(adapter) ?? new SharedRankings();
      shared.set(adapter, from);
      borrower = new Borrower(from);
      borrowers.set(tx, borrower);
      tx.afterCommit(() => borrower?.giveBack());
    }
    return borrower;
  }

  get looks(): LRUCache<number, number> {
    return this.#shared.looks;
  }

  hasCompared(rankingId: number): boolean {
    return this.#compared.has(rankingId);
  }

  /** Takes a ranking, if its runs have changed as often as when they were given back. */
  take(rankingId: number, changes: number): void {
    this.#compared.add(rankingId);
    const { rankings, patience } = this.#shared;
    const found = rankings.get(rankingId);
    if (!found) return;
    rankings.delete(rankingId);
    const isCurrent = found.changes === changes;
    const before = patience.get(rankingId) ?? leastLooks;
    patience.set(rankingId, isCurrent ? Math.max(leastLooks, before / 2) : Math.min(mostLooks, before * 2));
    if (isCurrent) this.kept.set(rankingId, found.runs);
  }

  looksUntilKept(rankingId: number): number {
    if (!this.#compared.has(rankingId)) return Number.POSITIVE_INFINITY;
    return this.#shared.patience.get(rankingId) ?? leastLooks;
  }

  changed(rankingId: number): void {
    this.#changes.delete(rankingId);
  }

  /** Notes how often the runs have changed by now. */
  note(rankingId: number, changes: number): void {
    this.#changes.set(rankingId, changes);
  }

  giveBack(): void {
    for (const [rankingId, changes] of this.#changes) {
      const runs = this.kept.get(rankingId);
      if (runs) this.#shared.rankings.set(rankingId, { runs, changes });
    }
  }
}
