/**
 * `npm run build`: builds the pages where they are out of date, and prints the folder. `npm start` and `npm test` do so by
 * themselves; an image of the service does it once, when it is made.
 */
import process from 'node:process';
import { ensureBuild } from '../packages/server/src/pages/built/build.ts';

try {
  console.log(await ensureBuild());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
