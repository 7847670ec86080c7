import { silence } from './postgres-timing.ts';

/** The system errors of a connection: its end, no answer, no route, no local address, a name that is not found. */
const outOfReach =
  /^E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(?:HOST|NET)(?:UNREACH|DOWN)|NETRESET|ADDRNOTAVAIL|NOTFOUND|AI_(?:AGAIN|FAIL))$/u;

/** Returns whether the statement failed because the row already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505' || /UNIQUE constraint failed/u.test(messageOf(error));
}

/**
 * Returns whether the database itself is unavailable (stopped, full, locked), as opposed to a wrong
 * statement.
 */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (/^(?:08|53|55P03|57P|58)/u.test(code) || outOfReach.test(code)) return true;
  if (silence.test(messageOf(error))) return true;
  return /timeout exceeded when trying to connect|^timeout expired$|Connection terminated|is not queryable|database is locked|disk is full|disk I\/O error|unable to open database|readonly database/u.test(
    messageOf(error),
  );
}

/** Returns whether PostgreSQL refuses the connection: a wrong user or password, no such database, too few rights. */
export function isRefused(error: unknown): boolean {
  return /^(?:28|3D000|42501)/u.test(errorCode(error)) || messageOf(error).startsWith('SASL: ');
}

/** What an operator can do about a database that is unavailable or refuses the connection. */
export const databaseAdvice =
  'Check DATABASE_URL, and whether the server runs and accepts connections from here; for SQLite, check DATA_DIR, its owner and the free space on its disk.';

/** Returns the SQLSTATE or system code of an error; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
