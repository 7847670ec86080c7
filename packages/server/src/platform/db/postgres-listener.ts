import type pg from 'pg';
import type { Announcements } from './announcements.ts';
import { endAtOnce, openLine } from './postgres-pool.ts';
import { channel, type PostgresTiming } from './postgres-timing.ts';

/**
 * Receives the announcements of other nodes, and connects again when the connection breaks or falls silent.
 */
export class PostgresListener {
  readonly #url: string;
  readonly #announcements: Announcements;
  readonly #timing: PostgresTiming;
  #client: pg.Client | null = null;
  #closed = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(url: string, announcements: Announcements, timing: PostgresTiming) {
    this.#url = url;
    this.#announcements = announcements;
    this.#timing = timing;
  }

  /**
   * Connects and listens. Rejects if the database cannot be reached; then it does not try again by itself.
   */
  async connect(): Promise<void> {
    const client = openLine(this.#url, this.#timing);
    client.on('notification', ({ payload }) => {
      if (payload) this.#announcements.deliver([payload]);
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    // An idle connection looks the same whether it is alive or dead, so it is tried regularly.
    let asking = false;
    const beat = setInterval(async () => {
      if (asking) return;
      asking = true;
      await client.query('select 1').catch(() => {});
      asking = false;
    }, this.#timing.beatMs);
    beat.unref();
    client.once('end', () => {
      clearInterval(beat);
      this.#connectAgain();
    });
    if (this.#closed) await endAtOnce(client);
    else {
      this.#announcements.isDeaf = false;
      this.#announcements.deliverEverything();
    }
  }

  /**
   * Call it when the server was out of reach. The connection may be dead and look merely idle, so it is
   * opened anew at once, long before its next regular check.
   */
  suspect(): void {
    const client = this.#client;
    if (client === null) return;
    this.#client = null;
    this.#miss();
    void endAtOnce(client);
  }

  /** Announcements may be missed from now on. */
  #miss(): void {
    this.#announcements.isDeaf = true;
    this.#announcements.deliverEverything();
  }

  #connectAgain(): void {
    if (this.#closed) return;
    this.#client = null;
    this.#miss();
    this.#retry = setTimeout(() => this.connect().catch(() => this.#connectAgain()), 1_000);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#client) await endAtOnce(this.#client);
  }
}
