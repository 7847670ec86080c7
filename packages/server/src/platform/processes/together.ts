import type { BrowserState } from '../browser/pool.ts';
import type { Clock } from '../clock/clock.ts';
import { type CountCall, Counts } from './counts.ts';

/** The state of one process of a server, for its operators. */
export interface ProcessState {
  /** Counts from 1. The first process runs the jobs. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly memoryBytes: number;
  readonly runsJobs: boolean;
  /** How many processes with this number ended without being told to. */
  readonly restarts: number;
}

/** The metrics of one process, as prom-client gives them for adding up. */
export type Figures = readonly object[];

/** The functions of a process that answer the others' questions about it. */
export interface OwnParts {
  figures(): Promise<Figures>;
  /** Drops everything that is kept about these topics. */
  hear(topics: readonly string[]): void;
  /** The state of the browser; null in a process that runs no jobs. */
  browser(): BrowserState | null;
  /** Resolves with whether it can take pictures of pages. Finding out may start a browser. */
  canTakePictures(): Promise<boolean>;
}

/** `ready` once all of the server's first processes are; `ending` once it was told to end. */
export type Stage = 'starting' | 'ready' | 'ending';

/** The processes of one server, as one of them sees them. */
export interface Together {
  /** The number of processes. */
  readonly processes: number;
  /**
   * Counts over all processes. A single process returns the result at once; with several it takes a message
   * and its answer.
   */
  count(call: CountCall): number | Promise<number>;
  /** Tells the other processes what changed. Resolves once they have dropped it, and never rejects. */
  spread(topics: readonly string[]): Promise<void>;
  /** The metrics of all processes, one list each. */
  figures(): Promise<readonly Figures[]>;
  states(): Promise<readonly ProcessState[]>;
  /** The browser of the process that runs the jobs; null if none does. */
  browser(): Promise<BrowserState | null>;
  /** Whether the process that runs the jobs can take pictures; null if none does. */
  canTakePictures(): Promise<boolean | null>;
  /** The stage of the server as a whole. */
  stage(): Promise<Stage>;
  /** Answers the others' questions with these functions from now on. */
  tell(parts: OwnParts): void;
}

/** A server of one process. */
export function alone(clock: Clock, { runsJobs }: { runsJobs: boolean }): Together {
  const counts = new Counts(clock);
  const startedAt = Math.round(performance.timeOrigin);
  let parts: OwnParts | null = null;
  return {
    processes: 1,
    count: (call) => counts.answer([call], 'alone')[0] ?? 0,
    spread: async () => {},
    figures: async () => (parts ? [await parts.figures()] : []),
    states: async () => [
      { number: 1, startedAt, memoryBytes: process.memoryUsage.rss(), runsJobs, restarts: 0 },
    ],
    browser: async () => parts?.browser() ?? null,
    canTakePictures: async () => (runsJobs && parts ? parts.canTakePictures() : null),
    stage: async () => 'ready',
    tell(own) {
      parts = own;
    },
  };
}
