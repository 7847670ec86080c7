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

  /**
   * Returns the object of the present era. Call it inside a transaction: nobody else can commit until it
   * ends.
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
