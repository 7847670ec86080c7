import type { DialectAdapter } from 'kysely';
import { findFrequencies, type TokenQuery } from '../platform/db/dialect.ts';
import type { Db } from '../platform/db/schema.ts';

type Frequencies = ReadonlyMap<string, number>;

const known = new WeakMap<DialectAdapter, Promise<Frequencies>>();

/** Returns the frequencies as they were read first, or last by `refreshFrequencies`. */
export function frequenciesOf(db: Db): Promise<Frequencies> {
  return known.get(db.getExecutor().adapter) ?? refreshFrequencies(db);
}

/** Reads the frequencies of tokens again. They change slowly. */
export function refreshFrequencies(db: Db): Promise<Frequencies> {
  const { adapter } = db.getExecutor();
  const read = findFrequencies(db).catch((error: unknown) => {
    known.delete(adapter);
    throw error;
  });
  known.set(adapter, read);
  return read;
}

/**
 * From this share of spaces on, reading the newest rows is faster than using the index: it would list ten
 * thousand of a hundred thousand.
 */
const commonFrom = 0.1;

/** Returns whether the query probably matches so many rows that a few of the newest are enough. */
export function isCommon(query: TokenQuery, frequencies: Frequencies): boolean {
  const likelihood = query.reduce(
    (all, any) => all * Math.max(0, ...any.map((token) => frequencies.get(token) ?? 0)),
    1,
  );
  return likelihood >= commonFrom;
}
