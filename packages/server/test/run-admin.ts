import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Machine } from '../src/commands/admin-command.ts';
import type { TestService } from './service.ts';

const main = new URL('../bin/spaceport-server.mjs', import.meta.url).pathname;
const limitMs = 60_000;

export interface AdminAnswer {
  readonly code: number;
  /** The output of `--json`; null if the call failed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly json: any;
  readonly errors: string;
}

/** Returns the environment for a call in this process; a separate process takes seconds on a busy machine. */
export function machineOf({ service: { config, platform } }: TestService): Machine {
  return { config, platform: async () => platform, installed: async () => platform };
}

/** Runs `npm run admin -- WORDS --json` in a separate process, beside a service with these settings. */
export async function runAdmin(
  environment: Record<string, string>,
  words: readonly string[],
): Promise<AdminAnswer> {
  const { PATH = '', HOME = '' } = process.env;
  const options = {
    env: { PATH, HOME, NODE_NO_WARNINGS: '1', ...environment },
    timeout: limitMs,
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [main, 'admin', ...words, '--json'],
      options,
    );
    return { code: 0, json: JSON.parse(stdout), errors: stderr };
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: unknown };
    if (typeof code !== 'number') throw error;
    return { code, json: null, errors: String(stderr) };
  }
}
