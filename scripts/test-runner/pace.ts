import { availableParallelism, cpus } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/** How many tasks run at once. */
export interface Pace {
  /** This many tasks always run, as long as there are so many. */
  readonly least: number;
  /** The most tasks that run at once. */
  readonly most: number;
  /** Returns whether one more task may start. Asked every `lookMs` milliseconds once `least` tasks run. */
  hasRoom(): boolean;
  readonly lookMs: number;
}

const lookMs = 1_000;
/** The idle share of all cores, 0 to 1, above which one more process starts. */
const idleShare = 0.1;
/** The free memory that one more process needs. A process of tests with a browser takes less. */
const roomBytes = 1_500_000_000;

/**
 * Returns the pace for processes of tests on this machine. One more process than cores always runs. Up to
 * three per core run while cores are idle, because many tests wait for leases, time limits and each other.
 */
export function paceOfMachine(): Pace {
  const cores = availableParallelism();
  const idle = idleMeter();
  return {
    least: cores + 1,
    most: cores * 3,
    hasRoom: () => idle() > idleShare && process.availableMemory() > roomBytes,
    lookMs,
  };
}

/** Returns a function that returns the idle share of processor time since its last call, 0 to 1. */
function idleMeter(): () => number {
  const read = () => {
    const times = cpus().map((core) => core.times);
    const idle = times.reduce((sum, time) => sum + time.idle, 0);
    return {
      idle,
      all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle),
    };
  };
  let before = read();
  return () => {
    const now = read();
    const share = now.all === before.all ? 0 : (now.idle - before.idle) / (now.all - before.all);
    before = now;
    return share;
  };
}

/** Runs the tasks that `next` returns until it returns null, and returns when all tasks have ended. */
export async function runAtPace(next: () => (() => Promise<void>) | null, pace: Pace): Promise<void> {
  const running = new Set<Promise<void>>();
  let isThrough = false;
  const start = () => {
    const task = next();
    if (task === null) {
      isThrough = true;
      return;
    }
    const ended = task().finally(() => running.delete(ended));
    running.add(ended);
  };
  for (;;) {
    while (!isThrough && running.size < pace.least) start();
    if (running.size === 0) return;
    if (isThrough || running.size >= pace.most) await Promise.race(running);
    else if (await isLookedAt(running, pace.lookMs)) {
      if (pace.hasRoom()) start();
    }
  }
}

/** Waits for this time and returns true; returns false as soon as one of the tasks has ended. */
async function isLookedAt(running: Iterable<Promise<void>>, milliseconds: number): Promise<boolean> {
  const stop = new AbortController();
  const waited = pause(milliseconds, true, { signal: stop.signal }).catch(() => false);
  const first = await Promise.race([waited, ...[...running].map((one) => one.then(() => false))]);
  stop.abort();
  return first;
}
