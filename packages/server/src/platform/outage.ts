import { StoreUnavailable } from './blobs/blob-store.ts';
import { isRefused, isUnavailable, lacksTables } from './db/failures.ts';

/** The system errors of a machine that ran out of something, or of a failing disk: not the caller's fault. */
const exhausted = /^E(?:MFILE|NFILE|NOMEM|NOBUFS|NOSPC|DQUOT|ROFS|IO)$/u;

/**
 * Returns whether something failed that all work needs (database, store, the machine itself), and not the
 * work. Then the work can wait. A database that refuses its user is one: passwords and certificates are changed while
 * the service runs. So is one without its tables: a restore may bring them back. A network error counts as the database's only if it is the error itself. As
 * the cause of another error it belongs to whoever was called, such as a mail server.
 */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) || isRefused(error) || lacksTables(error) || causes(error).some(isOfMachine);
}

function isOfMachine(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  return error instanceof Error && 'code' in error && exhausted.test(String(error.code));
}

/** Returns the error and its chain of causes. */
function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let next = error; next instanceof Error && !found.includes(next); next = next.cause) found.push(next);
  return found;
}
