import type { DialectAdapter } from 'kysely';
import { findTokenStatistics } from '../platform/db/dialect.ts';
import type { Db } from '../platform/db/schema.ts';
import { newestBlocks, type TokenQuery, type TokenStatistics } from '../platform/db/token-query.ts';

const known = new WeakMap<DialectAdapter, Promise<TokenStatistics>>();

/** Returns the statistics as they were read first, or last by `refreshStatistics`. */
export function statisticsOf(db: Db): Promise<TokenStatistics> {
  return known.get(db.getExecutor().adapter) ?? refreshStatistics(db);
}

/** Reads the statistics of tokens again. They change slowly. */
export function refreshStatistics(db: Db): Promise<TokenStatistics> {
  const { adapter } = db.getExecutor();
  const read = findTokenStatistics(db).catch((error: unknown) => {
    known.delete(adapter);
    throw error;
  });
  known.set(adapter, read);
  return read;
}

/** From this number of fitting rows on, looking among the newest rows first is faster. */
const commonFrom = 400;

/**
 * Returns the tokens of as many of the newest rows as probably give `limit` results; null if the query probably matches
 * few rows.
 */
export function blocksFor(query: TokenQuery, limit: number, statistics: TokenStatistics): string[] | null {
  const { frequencies, rows } = statistics;
  const share = query.reduce(
    (all, any) => all * Math.max(0, ...any.map((token) => frequencies.get(token) ?? 0)),
    1,
  );
  // Twice as many, because the rows of a word are not spread evenly.
  return share * rows < commonFrom ? null : newestBlocks(statistics, (2 * limit) / share);
}
