import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of node's compile cache, shared by all test processes and the servers that they start. */
export const compileCache: string = fileURLToPath(
  new URL('../../node_modules/.cache/compiled-tests', import.meta.url),
);

const loadedByMost = ['../../packages/server/test/service.ts', 'playwright-core'];

/**
 * Fills the cache if there is none. A process writes its compiled code only when it ends, and the longest
 * files begin first. So without this, every process that begins before the first one ends would compile
 * everything.
 */
export async function warmCache(): Promise<void> {
  if (existsSync(compileCache)) return;
  const imports = loadedByMost.map((name) => `await import(${JSON.stringify(import.meta.resolve(name))});`);
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
}
