import { CommandError } from '../command-line.ts';
import { ConfigError } from '../config.ts';
import { StoreUnavailable, storeAdvice } from '../platform/blobs/blob-store.ts';
import { databaseAdvice, errorCode, isRefused, isUnavailable } from '../platform/db/failures.ts';
import { reasonOf } from '../platform/reason-of.ts';

/** The system's refusals that are about its settings, its rights or its disk. */
const refusals = new Map([
  ['EACCES', 'Not allowed'],
  ['EPERM', 'Not allowed'],
  ['EROFS', 'Not writable'],
  ['ENOTDIR', 'Not a folder'],
  ['ENOSPC', 'The disk is full'],
  ['EDQUOT', 'The disk quota is used up'],
]);

/** Prints an error: only the text if the operator can fix it, with the stack if the fault is ours. */
export function tellFailure(error: unknown, environment: NodeJS.ProcessEnv): void {
  console.error(explained(error, environment) ?? error);
}

/** Returns what the operator can do about an error; null if the fault is ours. */
export function explained(error: unknown, { PORT = '3000' }: NodeJS.ProcessEnv): string | null {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message;
  const code = errorCode(error);
  const reason = reasonOf(error);
  if (code === 'EADDRINUSE')
    return `Port ${PORT} is in use: stop the program that uses it, or choose another port with PORT=….`;
  if (error instanceof StoreUnavailable) return `The store cannot be used: ${reason}. ${storeAdvice}`;
  if (isUnavailable(error) || isRefused(error))
    return `The database cannot be used: ${reason}. ${databaseAdvice}`;
  const refusal = refusals.get(code);
  return refusal === undefined ? null : `${refusal}: ${reason}.`;
}
