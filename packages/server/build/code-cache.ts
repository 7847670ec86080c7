import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mainFile } from '../bin/current-build.mjs';
import {
  type CodeCache,
  readCodeCache,
  shippedName,
  writeCodeCache,
} from '../src/built-server/code-cache.ts';

const waitMs = 50;
const longestMs = 30_000;

/**
 * Ships a build with the compiled code of a start, by starting it once on data of its own, unless that was done
 * before. It needs the built pages, which the server would build otherwise.
 * @throws an error if the server does not start here
 */
export async function ensureCodeCache(build: string): Promise<void> {
  const shipped = join(build, shippedName);
  if (existsSync(shipped)) return;
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-code-'));
  try {
    const entries = (await codeOfStart(build, folder)).entries;
    writeCodeCache(shipped, () => entries);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function codeOfStart(build: string, folder: string): Promise<CodeCache> {
  const data = join(folder, 'data');
  await mkdir(data);
  const child = spawn(process.execPath, [join(build, mainFile), 'all'], {
    // Nothing of the surroundings, such as settings of a service, has a part in it.
    env: {
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      DATA_DIR: data,
      HOST: '127.0.0.1',
      PORT: '0',
      BROWSER: 'none',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'error',
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    for (let waited = 0; waited < longestMs && child.exitCode === null; waited += waitMs) {
      const [kept] = globSync('compiled/*/*.code', { cwd: folder });
      const cache = kept === undefined ? null : readCodeCache(join(folder, kept));
      if (cache) return cache;
      await pause(waitMs);
    }
    throw new Error('the server was built, but not started to keep its compiled code: it did not get ready');
  } finally {
    child.kill();
    await ended;
  }
}
