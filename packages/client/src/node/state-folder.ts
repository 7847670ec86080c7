import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes a file of `<project>/.spaceport` atomically. The folder's content belongs to one working copy, and
 * some of it is secret, so the folder has a .gitignore that keeps it out of the project's repository. A link is
 * replaced: in a project that was fetched it may lead anywhere, also into what is published.
 */
export function writeStateFile(projectFolder: string, name: string, text: string, mode?: number): void {
  const folder = join(projectFolder, '.spaceport');
  makeFolder(folder);
  const ignore = join(folder, '.gitignore');
  // An empty one was cut off, by a full disk say, and keeps nothing out.
  if (sizeOf(ignore) === 0) replace(ignore, '*\n');
  replace(join(folder, name), text, mode);
}

/**
 * Makes a folder, and those above it. Node's own way to do so never ends where the system says that there is no folder
 * although there is one: in one that was deleted meanwhile, and below /proc.
 * @param mode of each folder that is made
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process has made it, or it is there but may not be seen.
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
  }
}

/** Returns the size of a file in bytes; 0 if there is none. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Writes a file atomically. Of a link the file that it leads to is written.
 * @param mode of the file; without it an older file keeps its own
 */
export function writeWhole(path: string, text: string, mode?: number): void {
  replace(targetOf(path), text, mode, path);
}

/**
 * Writes a temporary file and renames it, so that an interruption leaves the old or the new file. If that fails,
 * the temporary file goes: the next publish would send it with the folder.
 * @param named the path that an error names, and not the temporary file
 */
function replace(path: string, text: string, mode?: number, named: string = path): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const older = mode === undefined ? statSync(path, { throwIfNoEntry: false }) : undefined;
    writeFileSync(temporary, text, { mode: mode ?? 0o666 });
    if (older !== undefined) chmodSync(temporary, older.mode & 0o777);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof Error) error.message = error.message.replaceAll(temporary, named);
    throw error;
  }
}

/** Returns the path of the file that a link leads to; of anything else its own. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // There is no file yet, or the link leads nowhere.
    return path;
  }
}
