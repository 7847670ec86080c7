import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a file of `<project>/.spaceport` atomically. The folder's content belongs to one working copy, and
 * some of it is secret, so the folder has a .gitignore that keeps it out of the project's repository.
 */
export function writeStateFile(projectFolder: string, name: string, text: string, mode?: number): void {
  const folder = join(projectFolder, '.spaceport');
  mkdirSync(folder, { recursive: true });
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  writeWhole(join(folder, name), text, mode);
}

/**
 * Writes a temporary file and renames it, so that an interruption leaves the old or the new file. If that fails,
 * the temporary file goes: the next publish would send it with the folder.
 */
export function writeWhole(path: string, text: string, mode = 0o666): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
