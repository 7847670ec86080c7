import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, freePort, run, start, untilAnswers } from './processes.ts';
import type { Side } from './tools.ts';

const main = fileURLToPath(new URL('../../packages/server/bin/spaceport-server.mjs', import.meta.url));

const manifest = fileURLToPath(new URL('../../package.json', import.meta.url));
/** The flags between `node` and the program in the script of `npm start`. */
const flags = JSON.parse(readFileSync(manifest, 'utf8'))
  .scripts.start.split(' ')
  .filter((word: string) => word.startsWith('-')) as string[];

export interface ServiceUnderTest extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly port: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number;
}

export interface ServiceOptions {
  /** `serve` runs no background jobs (safety check, compressed forms), so that they are not measured. */
  readonly role?: 'all' | 'serve';
  readonly environment?: Record<string, string>;
  /** The cores it runs on; by default the server's core. */
  readonly side?: Side;
}

/** Starts the service as `npm start` does, on the server's core, with its log in a file. */
export async function startService(
  dataFolder: string,
  { role = 'all', environment = {}, side = 'server' }: ServiceOptions = {},
): Promise<ServiceUnderTest> {
  const port = await freePort();
  // BENCH_NODE_OPTIONS=--cpu-prof shows where the time goes.
  const { BENCH_NODE_OPTIONS: NODE_OPTIONS = '' } = process.env;
  const logFile = `${dataFolder}.log`;
  const log = openSync(logFile, 'a');
  const began = performance.now();
  const child = start(side, process.execPath, [...flags, main, role], {
    env: { ...surroundings(dataFolder), PORT: String(port), NODE_OPTIONS, ...environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await untilAnswers(`http://127.0.0.1:${port}/healthz`, child).catch((error: unknown) => {
    throw new Error(`the service did not start: ${readFileSync(logFile, 'utf8')}`, { cause: error });
  });
  const startMs = performance.now() - began;
  return {
    child,
    port,
    baseUrl: `http://localhost:${port}`,
    startMs,
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** Makes an account in a service's data; the service may be running. @returns a token of the account */
export async function createToken(
  dataFolder: string,
  handle = 'bench',
  environment: Record<string, string> = {},
): Promise<string> {
  const call = (...args: string[]) =>
    run('load', process.execPath, [main, 'admin', ...args, '--handle', handle, '--json'], {
      env: { ...surroundings(dataFolder), ...environment },
    });
  await call('create-account', '--email', `${handle}@example.org`, '--password', 'a password for a bench');
  const { token } = JSON.parse(await call('create-token')) as { token: string };
  return token;
}

/** Returns the settings of every bench: the data folder, no browser, and limits that no bench reaches. */
function surroundings(dataFolder: string): Record<string, string> {
  const { PATH = '' } = process.env;
  return {
    PATH,
    HOME: join(dataFolder, 'home'),
    DATA_DIR: dataFolder,
    BROWSER: 'none',
    PUBLISHES_PER_HOUR: '1000000',
  };
}
