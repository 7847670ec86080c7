import pg from 'pg';

/**
 * If an attempt takes longer than its time limit by more than this, this process itself stood still, and the
 * attempt says nothing about the server.
 */
const stallMs = 250;
const maxAttempts = 3;

/**
 * Tells a slow server from one that is out of reach. The returned function opens a connection of its own,
 * which a running server accepts however busy it is, and resolves with whether that worked. Callers that ask
 * at the same time share one attempt. It resolves after `waitMs` at the latest, unless this process itself
 * stands still.
 */
export function createPulse(url: string, waitMs: number): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  return () => {
    asking ??= isThere(url, waitMs).finally(() => {
      asking = null;
    });
    return asking;
  };
}

async function isThere(url: string, waitMs: number): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now();
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: waitMs });
    client.on('error', () => {});
    try {
      await client.connect();
      return true;
    } catch (error) {
      // A refusal, such as too many connections, is an answer.
      if (error instanceof pg.DatabaseError) return true;
      const stoodStill = performance.now() - startedAt > waitMs + stallMs;
      if (!stoodStill || attempt === maxAttempts) return false;
    } finally {
      void client.end().catch(() => {});
    }
  }
}
