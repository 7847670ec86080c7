interface Seatable {
  readonly isUsable: boolean;
  close(): Promise<void>;
}

/**
 * A bounded number of things that are costly to start. They are kept for the next user, and ended when idle.
 */
export class Seats<T extends Seatable> {
  readonly #max: number;
  readonly #idleMs: number;
  readonly #idle: { one: T; timer: NodeJS.Timeout }[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #all = new Set<T>();
  #taken = 0;
  #isClosed = false;

  constructor(max: number, idleMs: number) {
    this.#max = max;
    this.#idleMs = idleMs;
  }

  /**
   * Returns an idle one, or a new one as soon as a seat is free.
   * @throws the reason of an aborted signal
   */
  async take(start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#seat(signal);
    try {
      for (let found = this.#idle.pop(); found; found = this.#idle.pop()) {
        clearTimeout(found.timer);
        if (found.one.isUsable) return found.one;
        this.#all.delete(found.one);
      }
      const started = await start();
      this.#all.add(started);
      if (this.#isClosed) await started.close();
      return started;
    } catch (error) {
      this.#freeSeat();
      throw error;
    }
  }

  /** Gives one back. It is closed if it is not usable any more. */
  async giveBack(one: T, isOfUse: boolean): Promise<void> {
    if (isOfUse && !this.#isClosed) this.#park(one);
    else await this.#end(one);
    this.#freeSeat();
  }

  /** Adds one that was started elsewhere. */
  keep(one: T): void {
    this.#all.add(one);
    this.#park(one);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#all].map((one) => this.#end(one)));
  }

  #park(one: T): void {
    const timer = setTimeout(() => {
      const index = this.#idle.findIndex((idle) => idle.one === one);
      if (index >= 0) this.#idle.splice(index, 1);
      void this.#end(one);
    }, this.#idleMs);
    timer.unref();
    this.#idle.push({ one, timer });
  }

  async #end(one: T): Promise<void> {
    await one.close();
    this.#all.delete(one);
  }

  async #seat(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#max) {
      this.#taken++;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const mine = () => turn.resolve();
    this.#waiting.push(mine);
    const onAbort = () => {
      const index = this.#waiting.indexOf(mine);
      // Its turn has come already: the code that takes the seat passes it on.
      if (index < 0) return;
      this.#waiting.splice(index, 1);
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Gives the seat to the one that has waited longest. */
  #freeSeat(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }
}
