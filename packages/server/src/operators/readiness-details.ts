import type { Platform } from '../platform/context.ts';
import type { ReadinessDetails } from '../platform/http/health.ts';
import { isFilled } from '../search/fill.ts';

/** Returns what `/readyz` says besides: what works only in part, and heals by itself or waits for the operator. */
export async function readinessDetails({
  database,
  together,
}: Pick<Platform, 'database' | 'together'>): Promise<ReadinessDetails> {
  const [hasAll, browser] = await Promise.all([isFilled(database.db), together.browser()]);
  return {
    ...(hasAll ? {} : { search: 'filling' }),
    ...(browser?.is === 'failing' ? { browser: 'failing' } : {}),
  };
}
