import pg from 'pg';

/** How far over its time a question may be before it is this process that stood still, and not the server. */
const stallMs = 250;
const maxAttempts = 3;

/**
 * Tells a server that is slow from one that is out of reach: opens a connection of its own, which a server that is
 * alive takes whatever its others are doing. Those who ask at once share one. Returns after `waitMs` at the latest,
 * unless this process itself stands still.
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
