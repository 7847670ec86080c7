/**
 * For as long as the writing of a file is this process's alone: an object that is another one once somebody else has written,
 * or once a transaction that went by it is undone.
 */
export class Era {
  readonly #dataVersion: () => number;
  #seen: number | null = null;
  #key = {};

  /** `dataVersion` tells of what others have committed: another number after each. */
  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion;
  }

  /** To be asked inside a transaction: nobody else commits until it ends. */
  now(): object {
    const version = this.#dataVersion();
    if (version !== this.#seen) this.end();
    this.#seen = version;
    return this.#key;
  }

  /** What was kept may not be so. */
  end(): void {
    this.#key = {};
  }
}

/** The era as one transaction has it: asked for once, and ended with a transaction that asked for it and is undone. */
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
