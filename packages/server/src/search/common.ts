import type { DialectAdapter } from 'kysely';
import { findFrequencies, type TokenQuery } from '../platform/db/dialect.ts';
import type { Db } from '../platform/db/schema.ts';

type Frequencies = ReadonlyMap<string, number>;

const known = new WeakMap<DialectAdapter, Promise<Frequencies>>();

/** What the database knew when it was asked first, or last by `refreshFrequencies`. */
export function frequenciesOf(db: Db): Promise<Frequencies> {
  return known.get(db.getExecutor().adapter) ?? refreshFrequencies(db);
}

/** Reads anew how frequent tokens are, which changes slowly. */
export function refreshFrequencies(db: Db): Promise<Frequencies> {
  const { adapter } = db.getExecutor();
  const read = findFrequencies(db).catch((error: unknown) => {
    known.delete(adapter);
    throw error;
  });
  known.set(adapter, read);
  return read;
}

/** From here on the newest rows are read faster than the index: of a hundred thousand it lists ten thousand. */
const commonFrom = 0.1;

/** Is the query likely to fit so many rows that a few of the newest are enough? */
export function isCommon(query: TokenQuery, frequencies: Frequencies): boolean {
  const likelihood = query.reduce(
    (all, any) => all * Math.max(0, ...any.map((token) => frequencies.get(token) ?? 0)),
    1,
  );
  return likelihood >= commonFrom;
}
