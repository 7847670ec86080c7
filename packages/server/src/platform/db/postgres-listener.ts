import type pg from 'pg';
import type { Announcements } from './announcements.ts';
import { openLine } from './postgres-pool.ts';
import { channel, type PostgresTiming } from './postgres-timing.ts';

/** Hears what other nodes announce, and connects again when the line breaks or falls silent. */
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

  /** Rejects when the database cannot be reached, and is not tried again then. */
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
    // A line on which nothing is said looks the same alive and dead.
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
    if (this.#closed) await client.end();
    else {
      this.#announcements.isDeaf = false;
      this.#announcements.deliverEverything();
    }
  }

  /**
   * The server was out of reach. The line may be lost, and look as it does when nothing is said: it is opened anew, long
   * before it would be tried.
   */
  suspect(): void {
    const client = this.#client;
    if (client === null) return;
    this.#client = null;
    this.#miss();
    // With a statement under way the socket is closed at once; without, the server would have to agree.
    client.query('select 1').catch(() => {});
    client.end().catch(() => {});
  }

  /** Whatever is announced from now on is missed. */
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
    await this.#client?.end().catch(() => {});
  }
}
