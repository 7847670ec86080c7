/** A publish that goes on while calls that wait for it come and go. */
interface Job<End> {
  /** Its place in the order of calls and jobs. */
  readonly begun: number;
  readonly end: Promise<End>;
  readonly cancel: AbortController;
  /** What it does now; empty until it says so. */
  doing: string;
  /** What each call that waits for it is told. */
  readonly listeners: Set<(line: string) => void>;
}

/** What a publish has from its calls. */
export interface Working<End> {
  readonly signal: AbortSignal;
  say(line: string): void;
  /** The end of the publish of the same name before it, which no call has handed on yet. */
  readonly earlier: End | undefined;
}

export interface Ended<End> {
  readonly end: End;
  /** False if others wait, which go on with this end. */
  readonly isLast: boolean;
}

/** A call that wants the end of a publish. */
export interface Waiting {
  readonly signal: AbortSignal;
  say(line: string): void;
  /** How long it may wait, in ms. */
  readonly patienceMs: number;
}

/**
 * Runs publishes for calls that have to be answered before a publish may be over. One that takes longer goes on, and
 * the next call of the same name waits for it.
 */
export class Publishes<End> {
  readonly #jobs = new Map<string, Job<End>>();
  #count = 0;

  /**
   * Returns the end of a publish that began after this call, so that it has what the folder has now: `publish` begins
   * after an earlier one of this name has ended, gets that one's end, and must not publish the same content again.
   * Returns what is being done if that takes longer than the call may wait.
   * @throws the error of the publish, or of the earlier one if no call was told of it; the reason of the call's signal
   */
  async endOf(
    name: string,
    publish: (working: Working<End>) => Promise<End>,
    call: Waiting,
  ): Promise<Ended<End> | { readonly doing: string }> {
    const came = this.#count++;
    const stop = new AbortController();
    const timeIsUp = new Promise<null>((resolve) => {
      const timer = setTimeout(() => resolve(null), call.patienceMs);
      stop.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    let earlier: End | undefined;
    try {
      for (;;) {
        const job = this.#jobs.get(name) ?? this.#begin(name, publish, earlier);
        const ended = await this.#wait(name, job, call, timeIsUp);
        if (ended === null) return { doing: job.doing };
        if (job.begun > came) return ended;
        earlier = ended.end;
      }
    } finally {
      stop.abort();
    }
  }

  /** Ends all publishes; each can be resumed. */
  close(): void {
    for (const { cancel } of this.#jobs.values()) cancel.abort(new Error('the program that called has left'));
  }

  #begin(name: string, publish: (working: Working<End>) => Promise<End>, earlier: End | undefined): Job<End> {
    const cancel = new AbortController();
    const listeners: Job<End>['listeners'] = new Set();
    const say = (line: string) => {
      job.doing = line;
      for (const listener of listeners) listener(line);
    };
    const end = Promise.resolve().then(() => publish({ signal: cancel.signal, say, earlier }));
    // If nobody waits for its error, the next call gets it.
    end.catch(() => {});
    const job: Job<End> = { begun: this.#count++, end, cancel, doing: '', listeners };
    this.#jobs.set(name, job);
    return job;
  }

  /** @returns null if the time is up first */
  async #wait(
    name: string,
    job: Job<End>,
    { signal, say }: Waiting,
    timeIsUp: Promise<null>,
  ): Promise<Ended<End> | null> {
    const stop = new AbortController();
    const cancelled = new Promise<never>((_resolve, reject) => {
      const leave = () => reject(signal.reason);
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { signal: stop.signal });
    });
    job.listeners.add(say);
    let keeps = false;
    try {
      const ended = await Promise.race([job.end.then((end) => ({ end })), timeIsUp, cancelled]);
      keeps = ended === null;
      return ended && { ...ended, isLast: job.listeners.size === 1 };
    } catch (error) {
      // A cancelled publish must not go live. A client that only gave up waiting has not cancelled it.
      keeps = signal.aborted && (job.listeners.size > 1 || isTimeout(signal.reason));
      if (signal.aborted && !keeps) job.cancel.abort(signal.reason);
      throw error;
    } finally {
      stop.abort();
      job.listeners.delete(say);
      if (!keeps && this.#jobs.get(name) === job) this.#jobs.delete(name);
    }
  }
}

/** Clients say in words why a call has ended. */
function isTimeout(reason: unknown): boolean {
  return /time(?:d\s?)?[\s-]?out/iu.test(String(reason));
}
