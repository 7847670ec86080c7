import type { BrowserState } from '../browser/pool.ts';
import type { Clock } from '../clock/clock.ts';
import { type CountCall, Counts } from './counts.ts';

/** How one process of a server is, for its operators. */
export interface ProcessState {
  /** From 1; the first runs the jobs. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly memoryBytes: number;
  readonly runsJobs: boolean;
  /** How often one that had this number has ended without being told to. */
  readonly restarts: number;
}

/** One process' figures, as prom-client gives them for adding up. */
export type Figures = readonly object[];

/** What a process tells of itself when another one asks. */
export interface OwnParts {
  figures(): Promise<Figures>;
  /** Drops what is kept of these topics. */
  hear(topics: readonly string[]): void;
  /** What pages are looked at with; null in a process that runs no jobs. */
  browser(): BrowserState | null;
  /** Whether it can take pictures of pages, which may start a browser to find out. */
  canTakePictures(): Promise<boolean>;
}

/** `ready` once all of its first processes are; `ending` from the moment that it is told to. */
export type Stage = 'starting' | 'ready' | 'ending';

/** The processes of one server, as one of them sees them. */
export interface Together {
  /** How many there are. */
  readonly processes: number;
  /** Counts over all of them. One process counts at once; where there are several an answer takes a message there and back. */
  count(call: CountCall): number | Promise<number>;
  /** Tells the others what changed. Resolves once they have dropped it; never rejects. */
  spread(topics: readonly string[]): Promise<void>;
  /** The figures of all processes, one list each. */
  figures(): Promise<readonly Figures[]>;
  states(): Promise<readonly ProcessState[]>;
  /** The browser of the process that runs the jobs; null where none does. */
  browser(): Promise<BrowserState | null>;
  /** Of the process that runs the jobs; null where none does. */
  canTakePictures(): Promise<boolean | null>;
  /** How far the server as a whole is. */
  stage(): Promise<Stage>;
  /** From now on the others are answered by these. */
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
