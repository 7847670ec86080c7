interface Waiting {
  readonly cost: number;
  readonly run: () => void;
}

/**
 * Work that is done in turns of the event loop: each turn takes only so much of it, so that whatever else is ready, a small
 * file above all, never waits for more than that. Networks come round-robin: how much one of them asks for is its own delay.
 */
export class LoopTurns {
  readonly #costPerTurn: number;
  /** What waits, by network; the one whose turn it is comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #spent = 0;
  #hasNext = false;

  constructor(costPerTurn: number) {
    this.#costPerTurn = costPerTurn;
  }

  /** Does the work at once where this turn has room, else in one of the next. `run` never throws. */
  take(network: string, cost: number, run: () => void): void {
    if (this.#waiting.size === 0 && this.#spent < this.#costPerTurn) {
      this.#do({ cost, run });
      return;
    }
    const own = this.#waiting.get(network);
    if (own) own.push({ cost, run });
    else this.#waiting.set(network, [{ cost, run }]);
  }

  #do({ cost, run }: Waiting): void {
    this.#spent += cost;
    if (!this.#hasNext) {
      this.#hasNext = true;
      setImmediate(() => this.#begin());
    }
    run();
  }

  #begin(): void {
    this.#hasNext = false;
    this.#spent = 0;
    for (const [network, own] of this.#waiting) {
      if (this.#spent >= this.#costPerTurn) return;
      const next = own.shift();
      // To the end of the line, where the network has more.
      this.#waiting.delete(network);
      if (own.length > 0) this.#waiting.set(network, own);
      if (next) this.#do(next);
    }
  }
}
