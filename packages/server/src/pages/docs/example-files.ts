import { readdir } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { checkout } from '../built/sources.ts';

/**
 * The folders of examples/ whose files the documents tell a reader to copy: whoever publishes to a service
 * has no checkout of it.
 */
const servedFolders = ['ci', 'engines', 'game-server'];

/** Returns path on the service → file, relative to docs/ like those of `docFiles`. */
export async function exampleFiles(): Promise<Readonly<Record<string, string>>> {
  const folders = servedFolders.map(async (folder) => {
    const entries = await readdir(join(checkout, 'examples', folder), {
      recursive: true,
      withFileTypes: true,
    });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length).split(sep).join('/'));
  });
  const files = (await Promise.all(folders)).flat().sort();
  return Object.fromEntries(files.map((file) => [`/${file}`, posix.join('..', file)]));
}
