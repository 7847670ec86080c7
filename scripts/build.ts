/**
 * `npm run build`: builds the pages and the server if they are out of date, and prints the folders. `npm ci`
 * and `npm test` run the same build; an image of the service is built with it once.
 */
import process from 'node:process';
import { ensureCodeCache } from '../packages/server/build/code-cache.ts';
import { ensureServer } from '../packages/server/build/ensure-server.ts';
import { ensureBuild } from '../packages/server/src/pages/built/build.ts';

try {
  const [pages, server] = await Promise.all([ensureBuild(), ensureServer()]);
  // Without it, the server only starts more slowly.
  await ensureCodeCache(server).catch(tell);
  console.log(`${pages}\n${server}`);
} catch (error) {
  tell(error);
  process.exitCode = 1;
}

function tell(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
}
