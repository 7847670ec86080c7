/** How a job waits until other work has had the processor. */
export interface Rest {
  /** Kinds of jobs that begin the wait anew when one is requested. */
  readonly after: readonly string[];
  readonly quietMs: number;
  /** It waits no longer than this. */
  readonly atMostMs: number;
}

/** Calls `act` once, when nothing has disturbed it for a while. */
export class QuietMoment {
  readonly #rest: Omit<Rest, 'after'>;
  readonly #act: () => void;
  #quiet: NodeJS.Timeout | undefined;
  #latest: NodeJS.Timeout | undefined;

  constructor(rest: Omit<Rest, 'after'>, act: () => void) {
    this.#rest = rest;
    this.#act = act;
  }

  /** Begins the wait, if it has not begun. */
  begin(): void {
    if (this.#latest !== undefined) return;
    this.#latest = this.#soon(this.#rest.atMostMs);
    this.#quiet = this.#soon(this.#rest.quietMs);
  }

  /** Begins the quiet time anew, if it has begun. */
  disturb(): void {
    if (this.#latest === undefined) return;
    clearTimeout(this.#quiet);
    this.#quiet = this.#soon(this.#rest.quietMs);
  }

  /** Ends the wait without `act`. */
  stop(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#latest);
    this.#latest = undefined;
  }

  #soon(ms: number): NodeJS.Timeout {
    const act = () => {
      this.stop();
      this.#act();
    };
    return setTimeout(act, ms).unref();
  }
}
