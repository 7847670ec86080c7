import type { Logger } from 'pino';
import { isReadOnly } from './db/failures.ts';
import { reasonOf } from './reason-of.ts';

/** Logs that something which is done again and again fails, once for each reason, and how long it failed when it succeeds again. */
export class RepeatedFailure {
  readonly #log: Logger;
  readonly #words: { readonly fails: string; readonly again: string };
  /** Why it fails now; null if it does not. */
  #reason: string | null = null;
  #since = 0;

  constructor(log: Logger, words: { readonly fails: string; readonly again: string }) {
    this.#log = log;
    this.#words = words;
  }

  failed(error: unknown): void {
    // PostgreSQL names each kind of statement that it refuses.
    const reason = isReadOnly(error) ? 'read-only' : reasonOf(error);
    if (reason === this.#reason) return;
    if (this.#reason === null) this.#since = performance.now();
    this.#reason = reason;
    this.#log.warn({ err: error }, this.#words.fails);
  }

  succeeded(): void {
    if (this.#reason === null) return;
    this.#reason = null;
    const seconds = Math.round((performance.now() - this.#since) / 1_000);
    this.#log.info({ seconds }, this.#words.again);
  }
}
