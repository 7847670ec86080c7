import type { BrowserState } from '../browser/pool.ts';
import type { CountCall } from './counts.ts';
import type { Figures, ProcessState, Stage } from './together.ts';

/** What a worker is in its server. */
export interface Place {
  /** From 1. Who takes the place of one that ended has its number. */
  readonly number: number;
  readonly processes: number;
  readonly runsJobs: boolean;
  /** How often this place was taken again. */
  readonly restarts: number;
}

/** What workers ask their primary. */
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

/** What a primary asks its workers. */
export type AskedOfWorker = {
  readonly hear: { readonly given: readonly string[]; readonly answered: null };
  readonly figures: { readonly given: null; readonly answered: Figures };
  readonly state: { readonly given: null; readonly answered: ProcessState };
  readonly browser: { readonly given: null; readonly answered: BrowserState | null };
  readonly canTakePictures: { readonly given: null; readonly answered: boolean | null };
  readonly end: { readonly given: { readonly drainSeconds: number }; readonly answered: null };
};
