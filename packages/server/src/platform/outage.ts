import { StoreUnavailable } from './blobs/blob-store.ts';
import { isUnavailable } from './db/failures.ts';

/** What a machine runs out of, or a disk that takes and gives nothing: no fault of whoever asked. */
const exhausted = /^E(?:MFILE|NFILE|NOMEM|NOBUFS|NOSPC|DQUOT|ROFS|IO)$/u;

/**
 * Is this the failure of something that all work needs (database, store, the machine itself), and not of the work? Then
 * the work can wait. A network error counts as the database's only where it is the error itself: as the cause of
 * another it is that of whoever was asked, such as a mail server.
 */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) || causes(error).some(isOfMachine);
}

function isOfMachine(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  return error instanceof Error && 'code' in error && exhausted.test(String(error.code));
}

/** The error, and what it was caused by. */
function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let next = error; next instanceof Error && !found.includes(next); next = next.cause) found.push(next);
  return found;
}
