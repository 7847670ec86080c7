import { chmod, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const ownFolder = 0o700;
const ownFile = 0o600;
/** To be walked through on the way to what is shared, not listed. */
const passedThrough = 0o711;
const readByAll = 0o755;

export interface PrivateFolder {
  readonly folder: string;
  /** The embedded database, made here so that it is never anybody else's to read; what SQLite puts beside it is as it is. */
  readonly databaseFile: string | null;
  /** Folders in it that a program of another user reads too: nginx, where it sends the files. */
  readonly shared: readonly string[];
}

/**
 * Makes the data folder and what lies in it the service's own, also where an earlier start, or a person, left it open to
 * others: it holds signing keys, hashes of passwords and files that are not public. What is deeper is closed by its folder.
 */
export async function keepPrivate({ folder, databaseFile, shared }: PrivateFolder): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ownFolder });
  await chmod(folder, shared.length > 0 ? passedThrough : ownFolder);
  if (databaseFile !== null) await (await open(databaseFile, 'a', ownFile)).close();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const mode = entry.isDirectory() ? (shared.includes(entry.name) ? readByAll : ownFolder) : ownFile;
    if (entry.isDirectory() || entry.isFile()) await chmod(path, mode).catch(ifThere);
  }
}

/** What SQLite takes away between two lines is gone. */
function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
