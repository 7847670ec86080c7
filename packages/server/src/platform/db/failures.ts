import { silence } from './postgres-timing.ts';

/** Was the statement refused because the row is there already? */
export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505' || /UNIQUE constraint failed/u.test(messageOf(error));
}

/** Is the database itself out of reach (stopped, full, locked), rather than the statement wrong? */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (
    /^(?:08|53|55P03|57P|58)/u.test(code) ||
    /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND)$/u.test(code)
  )
    return true;
  if (silence.test(messageOf(error))) return true;
  return /timeout exceeded when trying to connect|^timeout expired$|Connection terminated|is not queryable|database is locked|disk is full|disk I\/O error|unable to open database|readonly database/u.test(
    messageOf(error),
  );
}

/** SQLSTATE or system code of an error; empty where it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
