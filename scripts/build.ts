/**
 * `npm run build`: builds the pages and the server if they are out of date, and prints the folders. `npm ci`
 * and `npm test` run the same build; an image of the service is built with it once.
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
