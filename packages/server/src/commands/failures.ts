import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../command-line.ts';
import { ConfigError } from '../config.ts';
import { PlaceUnavailable, placeAdvice } from '../platform/backup/place.ts';
import { StoreUnavailable, storeAdvice } from '../platform/blobs/blob-store.ts';
import { WrongStore, wrongStoreAdvice } from '../platform/blobs/claim-store.ts';
import {
  databaseAdvice,
  errorCode,
  isDamagedFile,
  isRefused,
  isStartupRefused,
  isUnavailable,
  lacksTables,
  lostTablesAdvice,
  poolerAdvice,
} from '../platform/db/failures.ts';
import { UnfitDatabase, unfitAdvice } from '../platform/db/fit-server.ts';
import { SchemaTooNew, schemaAdvice } from '../platform/db/oldest-program.ts';
import { FolderOfOthers, folderOfOthersAdvice } from '../platform/private-folder.ts';
import { reasonOf } from '../platform/reason-of.ts';

/** The system's refusals that are about its settings, its rights or its disk. */
const refusals = new Map([
  ['EACCES', 'Not allowed'],
  ['EPERM', 'Not allowed'],
  ['EROFS', 'Not writable'],
  ['ENOTDIR', 'Not a folder'],
  ['EEXIST', 'Not a folder'],
  ['EISDIR', 'Not a file'],
  ['ENOSPC', 'The disk is full'],
  ['EDQUOT', 'The disk quota is used up'],
]);

/** Prints an error: only the text if the operator can fix it, with the stack if the fault is ours. */
export function tellFailure(error: unknown, environment: NodeJS.ProcessEnv): void {
  console.error(explained(error, environment) ?? error);
}

/** Returns what the operator can do about an error; null if the fault is ours. */
export function explained(error: unknown, environment: NodeJS.ProcessEnv): string | null {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message;
  const code = errorCode(error);
  const reason = reasonOf(error).replace(/\.$/u, '');
  const port = portRefusal(error, environment);
  if (port !== null) return port;
  if (error instanceof FolderOfOthers) return `${reason}. ${folderOfOthersAdvice}`;
  if (error instanceof WrongStore) return `${reason}. ${wrongStoreAdvice}`;
  if (error instanceof SchemaTooNew) return `${reason}. ${schemaAdvice}`;
  if (error instanceof UnfitDatabase) return `${reason}. ${unfitAdvice}`;
  if (error instanceof PlaceUnavailable) return `${reason}. ${placeAdvice}`;
  if (error instanceof StoreUnavailable) return `The store cannot be used: ${reason}. ${storeAdvice}`;
  if (isDamagedFile(error)) {
    return `The database file ${databaseFile(environment)} is damaged: ${reason}. Keep a copy of it, and put the newest backup into an empty DATA_DIR (admin restore).`;
  }
  if (isStartupRefused(error)) return `The database cannot be used: ${reason}. ${poolerAdvice}`;
  if (isUnavailable(error) && code === 'ERR_SQLITE_ERROR') return ofDatabaseFile(reason, environment);
  if (lacksTables(error)) return `The database lacks tables of the service: ${reason}. ${lostTablesAdvice}`;
  if (isUnavailable(error) || isRefused(error))
    return `The database cannot be used: ${reason}. ${databaseAdvice}`;
  const refusal = isUnmakeable(error) ? 'Cannot be made' : refusals.get(code);
  if (refusal === undefined) return null;
  const isOwners = code === 'EACCES' || code === 'EPERM';
  return `${refusal}: ${reason}.${isOwners ? ' Everything in DATA_DIR has to belong to the user of the service.' : ''}`;
}

function databaseFile({ DATA_DIR }: NodeJS.ProcessEnv): string {
  return resolve(DATA_DIR?.trim() || './data', 'spaceport.db');
}

/** SQLite says of a full disk at most that it is full, and often that there was an error. */
function ofDatabaseFile(reason: string, environment: NodeJS.ProcessEnv): string {
  const file = databaseFile(environment);
  const said = `The database file ${file} cannot be used: ${reason}.`;
  const advice = 'Check its owner and its disk, and whether another program keeps it locked.';
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return `${said} ${Math.floor((bavail * bsize) / 2 ** 20)} MiB are free there. ${advice}`;
  } catch {
    return `${said} ${advice}`;
  }
}

/** Returns whether a folder cannot be made where it is wanted, as below /proc. */
function isUnmakeable(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' && (error as { readonly syscall?: unknown }).syscall === 'mkdir';
}

/** Returns what to do about a port or a host that the service cannot listen at. */
function portRefusal(
  error: unknown,
  { HOST = '127.0.0.1', PORT = '3000' }: NodeJS.ProcessEnv,
): string | null {
  const code = errorCode(error);
  if (code === 'EADDRINUSE')
    return `Port ${PORT} is in use: stop the program that uses it, or choose another port with PORT=….`;
  const { syscall, hostname } = error as { readonly syscall?: unknown; readonly hostname?: unknown };
  // Of several processes, the first one binds the port for all.
  const isOfPort = syscall === 'listen' || syscall === 'bind';
  if (isOfPort && code === 'EACCES')
    return `Port ${PORT} is not allowed for this user: choose one from 1024 on with PORT=…, and put a proxy in front of it.`;
  if (isOfPort || (syscall === 'getaddrinfo' && hostname === HOST))
    return `HOST=${HOST} is no address to listen on: ${reasonOf(error)}. Give one of this machine, or 0.0.0.0 or :: for all.`;
  return null;
}
