import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a file of `<project>/.spaceport` atomically. The folder's content belongs to one working copy, and
 * some of it is secret, so the folder has a .gitignore that keeps it out of the project's repository.
 */
export function writeStateFile(projectFolder: string, name: string, text: string, mode?: number): void {
  const folder = join(projectFolder, '.spaceport');
  mkdirSync(folder, { recursive: true });
  const ignore = join(folder, '.gitignore');
  // An empty one was cut off, by a full disk say, and keeps nothing out.
  if (sizeOf(ignore) === 0) writeWhole(ignore, '*\n');
  writeWhole(join(folder, name), text, mode);
}

/** Returns the size of a file in bytes; 0 if there is none. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Writes a temporary file and renames it, so that an interruption leaves the old or the new file. If that fails,
 * the temporary file goes: the next publish would send it with the folder. Of a link the file that it leads to
 * is written. The error names `path`, not the temporary file.
 * @param mode of the file; without it an older file keeps its own
 */
export function writeWhole(path: string, text: string, mode?: number): void {
  const target = targetOf(path);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    const older = mode === undefined ? statSync(target, { throwIfNoEntry: false }) : undefined;
    writeFileSync(temporary, text, { mode: mode ?? 0o666 });
    if (older !== undefined) chmodSync(temporary, older.mode & 0o777);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof Error) error.message = error.message.replaceAll(temporary, path);
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
