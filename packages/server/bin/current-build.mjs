import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const packages = fileURLToPath(new URL('../../', import.meta.url));

/** Where builds of the server are: a folder for each state of the sources. */
export const buildsFolder = join(packages, 'server/dist');
/** What starts the server, in a build's folder. */
export const mainFile = 'main.js';

/** What the server is made of, beside this checkout's packages/. */
const inputs = [
  '../package-lock.json',
  'server/vite.config.ts',
  'server/build',
  'server/src',
  'contract/src',
];

/** A name for the state of the server's sources, by their contents. Twenty milliseconds. */
export function hashServer() {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesIn(join(packages, input))).sort()) {
    const bytes = readFileSync(file);
    hash.update(`${relative(packages, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/** The address of what starts the server, built of these very sources; null where nobody has built it. */
export function currentBuild() {
  // Where nothing is built nothing has to be read.
  if (!existsSync(buildsFolder)) return null;
  const main = join(buildsFolder, hashServer(), mainFile);
  return existsSync(main) ? pathToFileURL(main).href : null;
}

/** @param {string} path */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
