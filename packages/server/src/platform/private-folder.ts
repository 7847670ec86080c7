import { chmod, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

const ownFolder = 0o700;
const ownFile = 0o600;
/** A folder that other users may pass through, but not list. */
const passedThrough = 0o711;
const readByAll = 0o755;

/** What the service makes in its folder. */
const ownNames = /^(?:spaceport\..+|blobs|mail|tmp)$/u;
/** What may be in a folder that is nobody's yet: the home of a new user, the root of a new disk. */
const namesOfNobody = /^(?:\..+|lost\+found)$/u;

/** The data folder has files of others and none of the service. */
export class FolderOfOthers extends Error {}

/** What an operator can do about it. */
export const folderOfOthersAdvice =
  'The service makes its folder readable for its own user only, with all that is in it. Choose one that is new or empty: DATA_DIR=….';

export interface PrivateFolder {
  readonly folder: string;
  /**
   * The file of the SQLite database; null without one. It is made here, so that others could never read it.
   * Files that SQLite adds beside it get the same mode.
   */
  readonly databaseFile: string | null;
  /** The folders in it that a program of another user reads too: nginx, if it sends the files. */
  readonly shared: readonly string[];
}

/**
 * Makes the data folder and its entries readable by the service's user only, even if an earlier start or a
 * person had opened them: they hold signing keys, password hashes and files that are not public. Deeper
 * levels are closed by their folder.
 * @throws `FolderOfOthers` for a folder like `/srv` or a home: to close that would take it from everybody else
 */
export async function keepPrivate({ folder, databaseFile, shared }: PrivateFolder): Promise<void> {
  await makeFolder(folder, ownFolder);
  requireOwn(folder, await readdir(folder));
  await chmod(folder, shared.length > 0 ? passedThrough : ownFolder);
  if (databaseFile !== null) await (await open(databaseFile, 'a', ownFile)).close();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const mode = entry.isDirectory() ? (shared.includes(entry.name) ? readByAll : ownFolder) : ownFile;
    if (entry.isDirectory() || entry.isFile()) await chmod(path, mode).catch(ifThere);
  }
}

function requireOwn(folder: string, names: readonly string[]): void {
  if (names.some((name) => ownNames.test(name))) return;
  const [other] = names.filter((name) => !namesOfNobody.test(name));
  if (other !== undefined) throw new FolderOfOthers(`${folder} has other things in it, such as «${other}»`);
}

/** Ignores a missing file: SQLite may delete one between listing and chmod. */
function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
