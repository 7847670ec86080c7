import { sql } from 'kysely';
import { onlyOnPostgres } from './dialect.ts';
import type { Db } from './schema.ts';

/** The oldest PostgreSQL that the service is tested with. */
const oldestMajor = 15;

/** A new database is one that the service cannot work with. */
export class UnfitDatabase extends Error {}

/** What an operator can do about it. */
export const unfitAdvice = `Give DATABASE_URL a database of PostgreSQL ${oldestMajor} or newer, made by: create database spaceport template template0 encoding 'UTF8'.`;

interface PostgresServer {
  readonly major: number;
  /** The encoding of the database, such as `UTF8`. */
  readonly encoding: string;
}

/**
 * Requires that everything can be written into a new database.
 * @throws `UnfitDatabase`
 */
export async function requireFit(db: Db): Promise<void> {
  const servers = await onlyOnPostgres(
    db,
    sql<PostgresServer>`
      select current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding`,
  );
  for (const server of servers) {
    const fault = faultOf(server);
    if (fault !== null) throw new UnfitDatabase(fault);
  }
}

/** Returns why the service cannot work with such a database; null if it can. */
export function faultOf({ major, encoding }: PostgresServer): string | null {
  if (major < oldestMajor) return `PostgreSQL ${major} is too old`;
  // Others have no place for some letters and pictures, or cut texts inside of a letter.
  return encoding === 'UTF8' ? null : `The database is encoded in ${encoding}, and not in UTF8`;
}
