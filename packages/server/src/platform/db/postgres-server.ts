import { createPulse } from './postgres-pulse.ts';

/**
 * Knows which server new connections lead to. After a failover by name or by a proxy, connections to the server before
 * may stay open, and it may even answer: what it says is old, and announcements do not reach it.
 */
export class ServerInUse {
  readonly #feel: ReturnType<typeof createPulse>;
  readonly #onLeft: () => void;
  #server: string | null = null;
  #era = 0;

  /**
   * @param waitMs after this time without an answer, a server is out of reach
   * @param onLeft called when the connections that were opened before must not be trusted any more
   */
  constructor(url: string, waitMs: number, onLeft: () => void) {
    this.#feel = createPulse(url, waitMs);
    this.#onLeft = onLeft;
  }

  /** A connection of an earlier era may lead to a server that is not in use any more. */
  get era(): number {
    return this.#era;
  }

  /** Opens a new connection to see where it leads. Returns whether a server is there. */
  async look(): Promise<boolean> {
    const { isThere, server } = await this.#feel();
    if (isThere) this.meet(server);
    else this.#leave();
    return isThere;
  }

  /** A new connection leads to this server; null if it did not say which one it is. */
  meet(server: string | null): void {
    if (server === null || server === this.#server) return;
    const isAnother = this.#server !== null;
    this.#server = server;
    if (isAnother) this.#leave();
  }

  #leave(): void {
    this.#era++;
    this.#onLeft();
  }
}
