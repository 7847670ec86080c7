import { globSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { keptOutside } from '../../packages/server/build/kept-outside.ts';
import { installedFor } from './installed.ts';

/**
 * The files of the archive besides the builds. They include the sources: the builds are named by the sources'
 * hash, stacks point at them, and a few of them are read at run time.
 */
const parts = [
  'package.json',
  'package-lock.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'docs/**',
  // The service serves these.
  'examples/{ci,engines,game-server}/**',
  // `**` leaves out names that begin with a dot.
  'deploy/**/{*,.*}',
  'packages/*/package.json',
  'packages/*/vite.config.ts',
  'packages/*/{bin,build,src}/**',
];

/** Packages left out: a browser of 67 MB for two kinds of machine, and a package that is never installed. */
export const leftOut: readonly string[] = ['@sparticuz/chromium', 'pg-native'];

/**
 * Returns the files of the archive, from the checkout's root, sorted: a checkout after `npm ci`, without
 * files that only tests and builds need.
 * @param builds the folders of the builds
 */
export function contentsOf(root: string, builds: readonly string[]): string[] {
  const packages = installedFor(
    root,
    join(root, 'packages/server'),
    keptOutside.filter((name) => !leftOut.includes(name)),
  );
  const sources = globSync(parts, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/u.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return [
    ...sources,
    ...builds.flatMap((folder) => filesIn(root, folder)),
    ...packages.flatMap((folder) => filesIn(root, join(root, folder))),
  ].sort();
}

/** Returns the files of a package without nested packages; needed nested packages are listed separately. */
function filesIn(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() && !relative(folder, path).includes('node_modules/'))
    .map(({ path }) => relative(root, path));
}
