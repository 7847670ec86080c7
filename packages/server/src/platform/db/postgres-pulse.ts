import pg from 'pg';

/**
 * If an attempt takes longer than its time limit by more than this, this process itself stood still, and the
 * attempt says nothing about the server.
 */
const stallMs = 250;
const maxAttempts = 3;

/** What a new connection meets: no server, or one that is told from others by `server`, if it says so. */
export type Pulse = { readonly isThere: boolean; readonly server: string | null };

/**
 * Tells a slow server from one that is out of reach. The returned function opens a connection of its own,
 * which a running server accepts however busy it is, and resolves with what it met. Callers that ask
 * at the same time share one attempt. It resolves after twice `waitMs` at the latest, unless this process itself
 * stands still.
 */
export function createPulse(url: string, waitMs: number): () => Promise<Pulse> {
  let asking: Promise<Pulse> | null = null;
  return () => {
    asking ??= feel(url, waitMs).finally(() => {
      asking = null;
    });
    return asking;
  };
}

/**
 * Returns the start of the server that a connection leads to. No two servers have started in the same microsecond, and
 * a pooler passes the question on.
 */
export async function serverOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ at: string }>(
    'select extract(epoch from pg_postmaster_start_time())::text as at',
  );
  return rows[0]?.at ?? '';
}

async function feel(url: string, waitMs: number): Promise<Pulse> {
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now();
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: waitMs,
      query_timeout: waitMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return { isThere: true, server: await serverOf(client).catch(() => null) };
    } catch (error) {
      // A refusal, such as too many connections, is an answer.
      if (error instanceof pg.DatabaseError) return { isThere: true, server: null };
      const stoodStill = performance.now() - startedAt > waitMs + stallMs;
      if (!stoodStill || attempt === maxAttempts) return { isThere: false, server: null };
    } finally {
      void client.end().catch(() => {});
    }
  }
}
