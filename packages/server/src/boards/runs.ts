import type { Place } from './ranking.ts';

/** Level 0: runs of entries. */
export const segmentLevel = 0;
/** Level 1: runs of segments. */
export const groupLevel = 1;

/** The low end of the first run of every ranking: less than any sum of scores. */
export const lowest: Place = { sortKey: -1e300, submissionId: 0 };

/** A place in one ranking. */
export interface RankedPlace extends Place {
  readonly rankingId: number;
}

/** A place and the low ends of the runs that it is in. */
export interface LocatedPlace extends RankedPlace {
  readonly segment: Place;
  readonly group: Place;
}

/** A run of entries or of segments, as a row has it. */
export interface Run {
  readonly low_key: number;
  readonly low_id: number;
  readonly n: number;
}

/** The runs of one level of a ranking in memory, in order: what their rows say, found in a few steps. */
export class Runs {
  readonly #keys: number[] = [];
  readonly #ids: number[] = [];
  readonly #counts: number[] = [];

  /** `rows` in the order of their low ends. */
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

  /** The number of the run that a place is in; -1 below the first. */
  at({ sortKey, submissionId }: Place): number {
    let from = 0;
    let to = this.#keys.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const key = this.#keys[middle] ?? Number.NaN;
      const isAbove = key > sortKey || (key === sortKey && (this.#ids[middle] ?? Number.NaN) > submissionId);
      if (isAbove) to = middle;
      else from = middle + 1;
    }
    return from - 1;
  }

  low(index: number): Place {
    return { sortKey: this.#keys[index] ?? Number.NaN, submissionId: this.#ids[index] ?? Number.NaN };
  }

  /** How much is in the runs [from, to), by their numbers. */
  sum(from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index++) sum += this.#counts[index] ?? Number.NaN;
    return sum;
  }

  /** What a row says now; a run that was not there comes. */
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
