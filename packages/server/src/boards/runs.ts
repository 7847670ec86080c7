import { mustAt } from '../platform/must.ts';
import type { Place } from './ranking.ts';

/** Level 0: runs of entries. */
export const segmentLevel = 0;
/** Level 1: runs of segments. */
export const groupLevel = 1;

/** The low end of the first run of every ranking: lower than any possible sum of scores. */
export const lowest: Place = { sortKey: -1e300, submissionId: 0 };

/** A place in one ranking. */
export interface RankedPlace extends Place {
  readonly rankingId: number;
}

/** A place, and the low ends of the runs that contain it. */
export interface LocatedPlace extends RankedPlace {
  readonly segment: Place;
  readonly group: Place;
}

/** Returns the lowest place that is above a place: a place of an entry has a whole number. */
export function after({ sortKey, submissionId }: Place): Place {
  return { sortKey, submissionId: submissionId + 1 };
}

/** A run of entries or of segments, as its row has it. */
export interface Run {
  readonly low_key: number;
  readonly low_id: number;
  readonly n: number;
}

/** The runs of one level of a ranking in memory, in order. They are found by binary search. */
export class Runs {
  readonly #keys: number[] = [];
  readonly #ids: number[] = [];
  readonly #counts: number[] = [];

  /** @param rows in the order of their low ends */
  constructor(rows: readonly Run[]) {
    for (const { low_key, low_id, n } of rows) {
      this.#keys.push(low_key);
      this.#ids.push(low_id);
      this.#counts.push(n);
    }
  }

  get length(): number {
    return this.#keys.length;
  }

  /** Returns the index of the run that contains a place; -1 for a place below the first run. */
  at({ sortKey, submissionId }: Place): number {
    let from = 0;
    let to = this.#keys.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const key = mustAt(this.#keys, middle);
      const isAbove = key > sortKey || (key === sortKey && mustAt(this.#ids, middle) > submissionId);
      if (isAbove) to = middle;
      else from = middle + 1;
    }
    return from - 1;
  }

  low(index: number): Place {
    return { sortKey: mustAt(this.#keys, index), submissionId: mustAt(this.#ids, index) };
  }

  /** Returns the sum of the counts of the runs with indexes in [from, to). */
  sum(from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += mustAt(this.#counts, index);
    return sum;
  }

  /** Updates a run from its row, or adds it. */
  put({ low_key, low_id, n }: Run): void {
    const index = this.at({ sortKey: low_key, submissionId: low_id });
    if (this.#keys[index] === low_key && this.#ids[index] === low_id) {
      this.#counts[index] = n;
      return;
    }
    this.#keys.splice(index + 1, 0, low_key);
    this.#ids.splice(index + 1, 0, low_id);
    this.#counts.splice(index + 1, 0, n);
  }

  delete({ sortKey, submissionId }: Place): void {
    const index = this.at({ sortKey, submissionId });
    if (this.#keys[index] !== sortKey || this.#ids[index] !== submissionId) return;
    this.#keys.splice(index, 1);
    this.#ids.splice(index, 1);
    this.#counts.splice(index, 1);
  }
}
