import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hashFiles } from './hash-files.mjs';

const packages = fileURLToPath(new URL('../../', import.meta.url));

/** Where builds of the server are: a folder for each state of the sources. */
export const buildsFolder = join(packages, 'server/dist');
/** What starts the server, in a build's folder. */
export const mainFile = 'main.js';

/** What the server is made of. */
const inputs = [
  '../package-lock.json',
  'server/vite.config.ts',
  'server/build',
  'server/bin',
  'server/src',
  'contract/src',
];

/** A name for the state of the server's sources. */
export function hashServer() {
  return hashFiles(packages, inputs, join(buildsFolder, '.stamp'));
}

/** The address of what starts the server, built of these very sources; null where nobody has built it. */
export function currentBuild() {
  // Where nothing is built nothing has to be read.
  if (!existsSync(buildsFolder)) return null;
  const main = join(buildsFolder, hashServer(), mainFile);
  return existsSync(main) ? pathToFileURL(main).href : null;
}
