import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestService } from './service.ts';

const program = fileURLToPath(new URL('../../../scripts/demo.ts', import.meta.url));

/** Publishes games as `npm run demo` does, all of them if none is named. Returns its output. */
export async function runDemo({ environment }: TestService, ...games: string[]): Promise<string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE: cache } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_NO_WARNINGS: '1',
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    ...environment,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...games], { env });
  return stdout;
}
