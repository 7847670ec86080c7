import type { Logger } from 'pino';
import { reasonOf } from '../reason-of.ts';

/**
 * Logs that looks for jobs fail, once for each reason, and that they succeed again: a worker looks every second.
 */
export class LookLog {
  readonly #log: Logger;
  /** Why looks fail now; null if they do not. */
  #reason: string | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  failed(error: unknown): void {
    const reason = reasonOf(error);
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#log.warn({ err: error }, 'could not look for jobs: they wait until the database answers');
  }

  succeeded(): void {
    if (this.#reason === null) return;
    this.#reason = null;
    this.#log.info('looking for jobs again');
  }
}
