/**
 * `npm run build`: builds the pages and the server where they are out of date, and prints the folders. `npm ci` and
 * `npm test` do so by themselves; an image of the service does it once, when it is made.
 */
import process from 'node:process';
import { ensureServer } from '../packages/server/build/ensure-server.ts';
import { ensureBuild } from '../packages/server/src/pages/built/build.ts';

try {
  for (const folder of await Promise.all([ensureBuild(), ensureServer()])) console.log(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
