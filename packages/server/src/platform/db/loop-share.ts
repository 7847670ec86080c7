import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest time that statements take of one turn of the event loop, in milliseconds. */
const mostMs = 10;

/**
 * The same inside a transaction. All other writes wait for its end, so it gives its turn away only when it is long: a
 * group of scores is not.
 */
const mostInTransactionMs = 40;

/**
 * Divides statements over turns of the event loop. SQLite answers at once, so code that makes one statement after the
 * other and awaits each never leaves its turn: a sweep over a large table would stop all requests until it is done.
 */
export class LoopShare {
  /** When the first statement of this turn began, by `performance.now()`; null before it. */
  #began: number | null = null;
  readonly #over = () => {
    this.#began = null;
  };

  /** Returns null if this turn has time for a statement, else a promise that resolves in a later turn. */
  wait(where: 'in a transaction' | 'alone'): Promise<void> | null {
    const now = performance.now();
    if (this.#began === null) {
      this.#began = now;
      setImmediate(this.#over);
      return null;
    }
    const most = where === 'alone' ? mostMs : mostInTransactionMs;
    return now - this.#began < most ? null : nextTurn();
  }
}
