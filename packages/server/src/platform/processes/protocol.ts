import type { BrowserState } from '../browser/pool.ts';
import type { CountCall } from './counts.ts';
import type { Figures, ProcessState, Stage } from './together.ts';

/** The place of a worker in its server. */
export interface Place {
  /** Counts from 1. A worker that replaces one that ended gets its number. */
  readonly number: number;
  readonly processes: number;
  readonly runsJobs: boolean;
  /** How many workers in this place were replaced. */
  readonly restarts: number;
}

/** The questions that workers ask their primary. */
export type AskedOfPrimary = {
  readonly hello: { readonly given: null; readonly answered: Place };
  readonly ready: { readonly given: null; readonly answered: null };
  readonly count: { readonly given: readonly CountCall[]; readonly answered: readonly number[] };
  readonly spread: { readonly given: readonly string[]; readonly answered: null };
  readonly figures: { readonly given: null; readonly answered: readonly Figures[] };
  readonly states: { readonly given: null; readonly answered: readonly ProcessState[] };
  readonly browser: { readonly given: null; readonly answered: BrowserState | null };
  readonly canTakePictures: { readonly given: null; readonly answered: boolean | null };
  readonly stage: { readonly given: null; readonly answered: Stage };
};

/** The questions that a primary asks its workers. */
export type AskedOfWorker = {
  readonly hear: { readonly given: readonly string[]; readonly answered: null };
  readonly figures: { readonly given: null; readonly answered: Figures };
  readonly state: { readonly given: null; readonly answered: ProcessState };
  readonly browser: { readonly given: null; readonly answered: BrowserState | null };
  readonly canTakePictures: { readonly given: null; readonly answered: boolean | null };
  readonly end: { readonly given: { readonly drainSeconds: number }; readonly answered: null };
};
