import type { Platform } from '../platform/context.ts';
import { sweepClients } from './clients.queries.ts';
import { sweepCodes } from './codes.queries.ts';

const day = 24 * 3_600_000;

/**
 * Deletes codes a day after they ended, so that a code sent twice is still recognized, and unused clients.
 */
export async function sweepOAuth({ database, clock, config }: Platform): Promise<void> {
  const now = clock.now();
  await sweepCodes(database.db, now - day);
  // A client is kept longer than its tokens.
  const usedBefore = now - config.API_TOKEN_SECONDS * 1000 - day;
  await sweepClients(database.db, { unusedBefore: now - day, usedBefore });
}
