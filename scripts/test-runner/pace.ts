import { availableParallelism, cpus } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/** How many tasks run at once. */
export interface Pace {
  /** So many run as long as there are so many. */
  readonly least: number;
  readonly most: number;
  /** Whether one more would find room; asked every `lookMs` while more than the least could run. */
  hasRoom(): boolean;
  readonly lookMs: number;
}

const lookMs = 2_000;
/** Of all cores together; less than that is what a process leaves free between two requests. */
const idleShare = 0.25;
/** A process of tests with a browser takes less. */
const roomBytes = 1_500_000_000;

/**
 * For processes of tests: one more than there are cores, and more of them while a core stands idle, because those that run wait
 * for leases, time limits and each other. Three for each core are the most.
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

/** Returns the share of processor time that nobody has used since the call before. */
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

/** Runs what `next` gives until it gives null, and returns when all of it has ended. */
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

/** Waits so long; returns false as soon as one of them has ended. */
async function isLookedAt(running: Iterable<Promise<void>>, milliseconds: number): Promise<boolean> {
  const stop = new AbortController();
  const waited = pause(milliseconds, true, { signal: stop.signal }).catch(() => false);
  const first = await Promise.race([waited, ...[...running].map((one) => one.then(() => false))]);
  stop.abort();
  return first;
}
