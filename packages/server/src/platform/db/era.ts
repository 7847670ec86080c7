/**
 * An era is the time in which only this process writes to the database file. It is represented by an object,
 * which is replaced once another process has written, or once a transaction that has used it was rolled back.
 */
export class Era {
  readonly #dataVersion: () => number;
  #seen: number | null = null;
  #key = {};

  /** `dataVersion` returns a number that changes with each commit of another process. */
  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion;
  }

  /** Returns the object of the era as it was when `now` was last called. Another process may have ended it since. */
  latest(): object {
    return this.#key;
  }

  /**
   * Returns the object of the present era. Inside a transaction nobody else can commit until it ends. Outside of one,
   * what was read is of the era that was the latest before if this call returns the same object.
   */
  now(): object {
    const version = this.#dataVersion();
    if (version !== this.#seen) this.end();
    this.#seen = version;
    return this.#key;
  }

  /** Ends the era: what was kept in memory may be wrong. */
  end(): void {
    this.#key = {};
  }
}

/**
 * The era as one transaction sees it: looked up once, and ended if the transaction used it and is rolled
 * back.
 */
export class EraOfTransaction {
  readonly #era: Era;
  #key: object | null = null;

  constructor(era: Era) {
    this.#era = era;
  }

  now(): object {
    this.#key ??= this.#era.now();
    return this.#key;
  }

  undone(): void {
    if (this.#key !== null) this.#era.end();
  }
}
