import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Shared by every file's process, and by the servers they start: what one has compiled the next one reads. */
export const compileCache: string = fileURLToPath(
  new URL('../../node_modules/.cache/compiled-tests', import.meta.url),
);

const loadedByMost = ['../../packages/server/test/service.ts', 'playwright-core'];

/**
 * Fills the cache where there is none: a process writes what it has compiled as it ends, and the first to begin are those
 * that take longest, so that each of those that begin meanwhile would compile everything again.
 */
export async function warmCache(): Promise<void> {
  if (existsSync(compileCache)) return;
  const imports = loadedByMost.map((name) => `await import(${JSON.stringify(import.meta.resolve(name))});`);
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
}
