import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a file of `<project>/.spaceport` whole or not at all. What the folder holds is of one working copy, some of
 * it secret, so it keeps itself out of the project's repository.
 */
export function writeStateFile(projectFolder: string, name: string, text: string, mode?: number): void {
  const folder = join(projectFolder, '.spaceport');
  mkdirSync(folder, { recursive: true });
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  writeWhole(join(folder, name), text, mode);
}

/** Through a temporary file and a rename, so that an interruption leaves the old file or the new one. */
export function writeWhole(path: string, text: string, mode = 0o666): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, path);
}
