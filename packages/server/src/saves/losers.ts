import { keptLoserDays } from '@spaceport/contract/saves';
import type { Platform } from '../platform/context.ts';
import { deleteLostBefore } from './losers.queries.ts';

/** Forgets what lost so long ago that nobody brings it back. */
export async function sweepLosers({ database, clock }: Platform): Promise<void> {
  await deleteLostBefore(database.db, clock.now() - keptLoserDays * 86_400_000);
}
