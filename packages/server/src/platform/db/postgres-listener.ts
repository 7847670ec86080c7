import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Announcements } from './announcements.ts';
import { endAtOnce, openLine } from './postgres-pool.ts';
import { serverOf } from './postgres-pulse.ts';
import type { ServerInUse } from './postgres-server.ts';
import { channel, type PostgresTiming } from './postgres-timing.ts';

/** Begins a payload that only proves that announcements arrive. */
const proofPrefix = 'proof:';

/**
 * Receives the announcements of other nodes, and connects again when the connection breaks or falls silent. A pooler
 * in transaction mode accepts LISTEN and passes no announcement on, so it is proved that they arrive.
 */
export class PostgresListener {
  readonly #url: string;
  readonly #announcements: Announcements;
  readonly #timing: PostgresTiming;
  readonly #inUse: ServerInUse;
  readonly #notify: (payload: string) => Promise<unknown>;
  #client: pg.Client | null = null;
  #closed = false;
  #retry: NodeJS.Timeout | null = null;

  /** @param notify announces on another connection, as transactions do */
  constructor(
    url: string,
    announcements: Announcements,
    timing: PostgresTiming,
    inUse: ServerInUse,
    notify: (payload: string) => Promise<unknown>,
  ) {
    this.#url = url;
    this.#announcements = announcements;
    this.#timing = timing;
    this.#inUse = inUse;
    this.#notify = notify;
  }

  /**
   * Connects and listens. It stays deaf if announcements do not arrive. Rejects if the database cannot be reached; then it does not try again by itself.
   */
  async connect(): Promise<void> {
    const client = openLine(this.#url, this.#timing);
    client.on('notification', ({ payload }) => {
      if (payload && !payload.startsWith(proofPrefix)) this.#announcements.deliver([payload]);
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      this.#inUse.meet(await serverOf(client));
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
      await this.#look(client).catch(() => {});
      asking = false;
    }, this.#timing.beatMs);
    beat.unref();
    client.once('end', () => {
      clearInterval(beat);
      this.#connectAgain();
    });
    if (this.#closed) await endAtOnce(client);
    else await this.#hear(client);
  }

  async #look(client: pg.Client): Promise<void> {
    // A server that is not in use any more answers too.
    await this.#inUse.look();
    await client.query('select 1');
    if (this.#announcements.isDeaf) await this.#hear(client);
  }

  /** Is not deaf any more if announcements arrive. */
  async #hear(client: pg.Client): Promise<void> {
    const hears = await this.#proves(client).catch(() => false);
    if (this.#client !== client) return;
    this.#announcements.isDeaf = !hears;
    this.#announcements.deliverEverything();
  }

  /** Returns whether an announcement that is made on another connection arrives on this one. */
  async #proves(client: pg.Client): Promise<boolean> {
    const proof = `${proofPrefix}${randomUUID()}`;
    const heard = Promise.withResolvers<boolean>();
    const onNotification = ({ payload }: pg.Notification) => {
      if (payload === proof) heard.resolve(true);
    };
    const tooLate = new AbortController();
    client.on('notification', onNotification);
    try {
      await this.#notify(proof);
      const late = pause(this.#timing.hearMs, false, { ref: false, signal: tooLate.signal });
      return await Promise.race([heard.promise, late]);
    } finally {
      tooLate.abort();
      client.off('notification', onNotification);
    }
  }

  /**
   * Call it when the server was out of reach, or is another one. The connection may be dead and look merely idle, so it
   * is opened anew at once, long before its next regular check.
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
