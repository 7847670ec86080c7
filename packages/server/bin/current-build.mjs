import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hashFiles } from './hash-files.mjs';

const packages = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the server's builds, with a folder for each state of the sources. */
export const buildsFolder = join(packages, 'server/dist');
/** The file in a build that starts the server. */
export const mainFile = 'main.cjs';

/** The files and folders that the server is built from. */
const inputs = [
  '../package-lock.json',
  'server/vite.config.ts',
  'server/build',
  'server/bin',
  'server/src',
  'contract/src',
];

/** Returns a name for the state of the server's sources. */
export function hashServer() {
  return hashFiles(packages, inputs, join(buildsFolder, '.stamp'));
}

/** Returns the URL of the file that starts the build of these sources; null if they were not built. */
export function currentBuild() {
  // If there are no builds, the sources need not be read.
  if (!existsSync(buildsFolder)) return null;
  const main = join(buildsFolder, hashServer(), mainFile);
  return existsSync(main) ? pathToFileURL(main).href : null;
}
