import type { Logger } from 'pino';
import type { Clock } from '../clock/clock.ts';
import type { Channel } from './line.ts';
import { Restarts } from './restarts.ts';
import { watchAnswers } from './still-answers.ts';
import { Switchboard } from './switchboard.ts';
import type { Stage } from './together.ts';

/** A worker process that was started. */
export interface Hand {
  readonly id: string;
  readonly pid: number | undefined;
  readonly channel: Channel;
  readonly ended: Promise<HandEnd>;
  kill(): void;
}

/** How a worker has ended. */
export interface HandEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started; absent if it was. */
  readonly error?: unknown;
}

export interface CrewOptions {
  readonly processes: number;
  /** Whether the first worker runs jobs. */
  readonly runsJobs: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often a worker is asked whether it still answers, in milliseconds. */
  readonly lookMs?: number;
  /** @throws if the system has no room for a process now */
  fork(number: number): Hand;
}

/**
 * The workers of a server. It keeps the configured number of them running for as long as the server lasts.
 */
export class Crew {
  readonly #options: CrewOptions;
  readonly #switchboard: Switchboard;
  /** The workers by number. */
  readonly #hands = new Map<number, Hand>();
  readonly #restarts = new Map<number, { readonly policy: Restarts; count: number }>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  readonly #allReady = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<number>();
  #ready = 0;
  #isReady = false;
  #isEnding = false;
  #code = 0;

  constructor(options: CrewOptions) {
    this.#options = options;
    this.#switchboard = new Switchboard(options.clock, () => this.#stage);
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  get #stage(): Stage {
    if (this.#isEnding) return 'ending';
    return this.#isReady ? 'ready' : 'starting';
  }

  /** Resolves with the server's exit code once all workers have ended. */
  get ended(): Promise<number> {
    return this.#ended.promise;
  }

  /**
   * Starts the first worker and, once it is ready, the others, so that a problem with the settings or the
   * machine is reported once. Resolves when all are ready, or when the crew has given up.
   */
  async start(): Promise<void> {
    this.#begin(1);
    await Promise.race([this.#allReady.promise, this.#ended.promise]);
  }

  /**
   * Makes all workers end at the same time, each after its work under way. Resolves with the server's exit
   * code.
   */
  end(drainSeconds: number): Promise<number> {
    this.#isEnding = true;
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#switchboard.endAll(drainSeconds);
    if (this.#hands.size === 0) this.#ended.resolve(this.#code);
    return this.ended;
  }

  /** Kills all workers at once. */
  kill(): void {
    this.#isEnding = true;
    for (const hand of this.#hands.values()) hand.kill();
  }

  #begin(number: number): void {
    const { processes, runsJobs, log, lookMs } = this.#options;
    const restarts = this.#restarts.get(number) ?? { policy: new Restarts(), count: -1 };
    this.#restarts.set(number, restarts);
    restarts.count += 1;
    const since = performance.now();
    const hand = this.#forked(number);
    if (hand === null) return;
    const { id, pid, channel } = hand;
    this.#hands.set(number, hand);
    const place = { number, processes, runsJobs: runsJobs && number === 1, restarts: restarts.count };
    this.#switchboard.add(id, channel, place, () => {
      log.info({ process: number, pid }, 'a process is ready');
      this.#becameReady(number);
    });
    // A process that stands still holds its connections and, the first one, the jobs of the server.
    const unwatch = watchAnswers(
      (withinMs) => this.#switchboard.answers(id, withinMs),
      () => {
        log.error({ process: number, pid }, 'a process of the server does not answer, and is killed');
        hand.kill();
      },
      lookMs,
    );
    void hand.ended.then((end) => {
      unwatch();
      this.#hands.delete(number);
      this.#switchboard.remove(id);
      this.#hasEnded(number, { pid, ...end }, performance.now() - since);
    });
  }

  /** Returns null if the system does not start a process now: that counts as its end. */
  #forked(number: number): Hand | null {
    try {
      return this.#options.fork(number);
    } catch (error) {
      this.#hasEnded(number, { code: null, signal: null, error }, 0);
      return null;
    }
  }

  #hasEnded(
    number: number,
    { error, ...end }: HandEnd & { readonly pid?: number | undefined },
    lastedMs: number,
  ): void {
    if (this.#isEnding) {
      this.#oneEnded(end.code ?? 1);
      return;
    }
    this.#options.log.error({ process: number, ...end, err: error }, 'a process of the server has ended');
    if (this.#isReady) this.#replace(number, this.#restarts.get(number)?.policy.waitMs(lastedMs) ?? 0);
    else this.#giveUp();
  }

  #becameReady(number: number): void {
    if (this.#isReady) return;
    this.#ready += 1;
    if (number === 1) for (let next = 2; next <= this.#options.processes; next++) this.#begin(next);
    if (this.#ready < this.#options.processes) return;
    this.#isReady = true;
    this.#allReady.resolve();
  }

  #replace(number: number, waitMs: number): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#begin(number);
    }, waitMs);
    this.#waiting.add(timer);
  }

  /** Gives up: a worker that fails at the start would fail again. It has logged why. */
  #giveUp(): void {
    this.#code = 1;
    this.#options.log.error('the server does not start');
    this.kill();
    if (this.#hands.size === 0) this.#ended.resolve(this.#code);
  }

  #oneEnded(code: number): void {
    if (code !== 0) this.#code = 1;
    if (this.#hands.size === 0) this.#ended.resolve(this.#code);
  }
}
