import type { Logger } from 'pino';
import { isReadOnly } from './db/failures.ts';
import { reasonOf } from './reason-of.ts';

/** After so many reasons no more are logged: one that names something else each time would fill the log. */
const mostReasons = 20;

/** Logs that something which is done again and again fails, once for each reason, and how long it failed when it succeeds again. */
export class RepeatedFailure {
  readonly #log: Logger;
  readonly #words: { readonly fails: string; readonly again: string };
  /** Why it has failed since it last succeeded. Reasons may take turns: of two addresses, or of two kinds of work. */
  readonly #reasons = new Set<string>();
  #since = 0;

  constructor(log: Logger, words: { readonly fails: string; readonly again: string }) {
    this.#log = log;
    this.#words = words;
  }

  failed(error: unknown): void {
    // PostgreSQL names each kind of statement that it refuses.
    const reason = isReadOnly(error) ? 'read-only' : reasonOf(error);
    if (this.#reasons.has(reason) || this.#reasons.size === mostReasons) return;
    if (this.#reasons.size === 0) this.#since = performance.now();
    this.#reasons.add(reason);
    this.#log.warn({ err: error }, this.#words.fails);
  }

  succeeded(): void {
    if (this.#reasons.size === 0) return;
    this.#reasons.clear();
    const seconds = Math.round((performance.now() - this.#since) / 1_000);
    this.#log.info({ seconds }, this.#words.again);
  }
}
