import { silence } from './postgres-timing.ts';

/** The system errors of a connection: its end, no answer, no route, no local address, a name that is not found. */
const outOfReach =
  /^E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(?:HOST|NET)(?:UNREACH|DOWN)|NETRESET|ADDRNOTAVAIL|NOTFOUND|AI_(?:AGAIN|FAIL))$/u;

/** Returns whether the statement failed because the row already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505' || /UNIQUE constraint failed/u.test(messageOf(error));
}

/**
 * Returns whether the database itself is unavailable (stopped, full, locked, only read), as opposed to a wrong
 * statement.
 */
export function isUnavailable(error: unknown): boolean {
  if (isStartupRefused(error)) return false;
  if (error instanceof TransactionEnded) return true;
  const code = errorCode(error);
  if (/^(?:08|25006|53|55P03|57P|58)/u.test(code) || outOfReach.test(code)) return true;
  if (silence.test(messageOf(error))) return true;
  return /timeout exceeded when trying to connect|^timeout expired$|Connection terminated|is not queryable|database is locked|disk is full|disk I\/O error|unable to open database|readonly database/u.test(
    messageOf(error),
  );
}

/** SQLite has rolled a transaction back by itself when a statement failed: the disk is full, or failed. */
export class TransactionEnded extends Error {
  constructor() {
    super('SQLite has ended the transaction, because a statement of it failed');
  }
}

/** PostgreSQL takes no writes: it is a replica, or was told so. */
export class DatabaseReadOnly extends Error {
  readonly code = '25006';

  constructor() {
    super('PostgreSQL takes no writes (transaction_read_only is on)');
  }
}

/** Returns whether PostgreSQL refused a write because it takes none. */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === '25006';
}

/**
 * Returns whether the database answers, and a table or the schema is not there. Every statement is tested, so the
 * tables were dropped while the service ran, or the database is another one.
 */
export function lacksTables(error: unknown): boolean {
  return /^(?:42P01|3F000)$/u.test(errorCode(error)) || /^no such table: /u.test(messageOf(error));
}

/** What an operator can do about it. */
export const lostTablesAdvice =
  'Check DATABASE_URL. If the tables were dropped, stop the service, and restore a backup into an empty database (admin restore).';

/** Returns whether a lock was held for longer than the statement that wanted it may wait. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03';
}

/** Returns whether PostgreSQL ended a transaction that waited for another one, which waited for it. */
export function isDeadlock(error: unknown): boolean {
  return errorCode(error) === '40P01';
}

/**
 * Returns whether PostgreSQL ended a statement that others were in the way of: it took longer than its time limit, or
 * there was a deadlock or a conflict every time. Sent again it may succeed. That is no outage: a statement may take
 * too long by itself, so a job that makes it has failed.
 */
export function isHeldUp(error: unknown): boolean {
  return /^(?:40001|40P01|57014)$/u.test(errorCode(error));
}

/** Returns whether the SQLite file is damaged, or is no database at all. */
export function isDamagedFile(error: unknown): boolean {
  return /file is not a database|database disk image is malformed/u.test(messageOf(error));
}

/** The files that DATABASE_URL names, such as those of certificates, cannot be read. The cause says why. */
export class DatabaseFilesUnreadable extends Error {
  constructor(cause: unknown) {
    super('A file that DATABASE_URL names cannot be read', { cause });
  }
}

/** The codes of Node.js and OpenSSL for certificates that are not accepted, and for TLS that does not come about. */
const untrusted =
  /^(?:ERR_(?:TLS|SSL|OSSL)_|EPROTO$|(?:CERT|CRL|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT))_)|^(?:HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED)$/u;

/** Returns whether a pooler refuses the time limit of statements, which it knows only if it is told to ignore it. */
export function isStartupRefused(error: unknown): boolean {
  return errorCode(error) === '08P01' && /unsupported startup parameter/u.test(messageOf(error));
}

/** What an operator can do about it. */
export const poolerAdvice = 'Let PgBouncer ignore it: ignore_startup_parameters = statement_timeout.';

/**
 * Returns whether no connection to PostgreSQL is made because of settings: a wrong user or password, no such
 * database, too few rights, no TLS, a certificate that is not accepted, or a pooler that does not know a setting.
 */
export function isRefused(error: unknown): boolean {
  if (error instanceof DatabaseFilesUnreadable || isStartupRefused(error)) return true;
  const code = errorCode(error);
  return (
    /^(?:28|3D000|42501)/u.test(code) ||
    untrusted.test(code) ||
    /^SASL: |server does not support SSL connections|error establishing an SSL connection/u.test(
      messageOf(error),
    )
  );
}

/** What an operator can do about a database that is unavailable or refuses the connection. */
export const databaseAdvice =
  'Check DATABASE_URL, and whether the server runs and accepts connections from here; for SQLite, check DATA_DIR, its owner and the free space on its disk.';

/** What is wrong where announcements of PostgreSQL do not arrive, and what an operator can do about it. */
export const deafSaid =
  "Nodes do not hear of each other's changes: DATABASE_URL leads to a pooler that passes no LISTEN on.";
export const deafAdvice =
  'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself. Without it nothing is answered from memory, and a publish is noticed late.';

/** Returns the SQLSTATE or system code of an error; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
