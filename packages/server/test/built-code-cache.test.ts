import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { currentBuild } from '../bin/current-build.mjs';
import { readyFlag } from '../src/built-server/engine-flags.ts';
import './one-engine.ts';
import { rawRequest } from './raw-http.ts';
import { startServerProcess } from './server-process.ts';
import { startService, type TestService } from './service.ts';

/** Tests that the built server starts whatever became of its compiled code. */
describe('the compiled code of the built server', () => {
  let service: TestService;
  /** A copy of the build, at the same depth below the sources. */
  let build: string;
  let shipped: string;
  let whole: Buffer;
  let kept: string;

  before(async () => {
    const main = currentBuild();
    assert.ok(main, 'nothing is built of these sources');
    const original = dirname(fileURLToPath(main));
    build = mkdtempSync(join(dirname(original), '.draft-'));
    cpSync(original, build, { recursive: true });
    shipped = join(build, 'code.cache');
    assert.ok(existsSync(shipped), 'the build was shipped without compiled code');
    whole = readFileSync(shipped);
    service = await startService();
    await service.service.close();
    kept = join(service.environment.DATA_DIR ?? '', 'compiled');
  });
  after(async () => {
    rmSync(build, { recursive: true, force: true });
    await service.restart();
    await service.close();
  });

  /** Starts the copy, asks it, waits for `until` its output, and kills it. */
  async function start(
    until: (output: string) => boolean = () => true,
    environment: Record<string, string> = {},
  ): Promise<void> {
    const lines: string[] = [];
    const server = await startServerProcess(
      { ...service.environment, NODE_COMPILE_CACHE: kept, ...environment },
      { main: join(build, 'main.cjs'), onLine: (line) => lines.push(line) },
    );
    try {
      assert.equal((await rawRequest(server.port, `${server.baseUrl}/healthz`, {})).status, 200);
      while (!until(lines.join('\n'))) await pause(10);
    } finally {
      await server.end('SIGKILL');
    }
  }

  it('is not used if it is of another text of the same length', { timeout: 60_000 }, async () => {
    const [name = ''] = globSync('*.cjs', { cwd: build }).filter((file) =>
      readFileSync(join(build, file), 'utf8').includes('Spaceport runs at'),
    );
    const text = readFileSync(join(build, name), 'utf8');
    writeFileSync(join(build, name), text.replace('Spaceport runs at', 'Spaceport sits at'));
    try {
      await start((output) => output.includes('Spaceport sits at'));
    } finally {
      writeFileSync(join(build, name), text);
    }
    await start((output) => output.includes('Spaceport runs at'));
  });

  for (const [what, damaged] of [
    ['is cut off', (bytes: Buffer) => bytes.subarray(0, 100_000)],
    ['is changed', (bytes: Buffer) => Buffer.from(bytes).fill(0, 100_000, 100_008)],
    ['is empty', () => Buffer.alloc(0)],
  ] as const)
    it(`is not used if it ${what}`, async () => {
      writeFileSync(shipped, damaged(whole));
      try {
        await start();
      } finally {
        writeFileSync(shipped, whole);
      }
    });

  it('is kept for the next start if the build has none, even if the server is killed', async () => {
    rmSync(shipped);
    try {
      rmSync(kept, { recursive: true, force: true });
      await start(() => globSync('*/*.code', { cwd: kept }).length > 0);
      await start();
    } finally {
      writeFileSync(shipped, whole);
    }
  });

  it('leaves the flags of V8 as they are until it is used, or kept', async () => {
    const told = join(service.environment.DATA_DIR ?? '', 'told.cjs');
    writeFileSync(
      told,
      `const v8 = require('node:v8');
      const { setFlagsFromString } = v8;
      v8.setFlagsFromString = (flag) => {
        setFlagsFromString(flag);
        // A server that answers requests ends in order.
        console.log('set', flag, process.listenerCount('SIGTERM') > 0 ? 'in a server' : 'too early');
      };`,
    );
    const environment = { NODE_OPTIONS: `--require=${told}` };
    let said = '';
    const until = (output: string) => {
      said = output;
      return said.includes(`set ${readyFlag}`);
    };
    await start(until, environment);
    assert.ok(said.includes(`set ${readyFlag} in a server`), said);
    rmSync(shipped);
    try {
      rmSync(kept, { recursive: true, force: true });
      await start(until, environment);
      const [code = ''] = globSync('*/*.code', { cwd: kept });
      const writtenAt = () => statSync(join(kept, code)).mtimeMs;
      const before = writtenAt();
      await start(until, environment);
      assert.equal(writtenAt(), before, 'the kept code was not accepted');
    } finally {
      writeFileSync(shipped, whole);
    }
  });

  it('is used without a warning of Node, also where a part imports a module', async () => {
    const server = await startServerProcess(
      { ...service.environment, NODE_COMPILE_CACHE: kept, NODE_NO_WARNINGS: '' },
      { main: join(build, 'main.cjs') },
    );
    let errors = '';
    server.child.stderr?.on('data', (data: Buffer) => {
      errors += data.toString();
    });
    try {
      // The first page imports the renderer.
      const page = await fetch(server.baseUrl, { headers: { accept: 'text/html' } });
      assert.match(await page.text(), /^<!doctype html>/u);
    } finally {
      await server.end();
    }
    assert.equal(errors, '');
  });

  it('is not needed where nothing can be written', async () => {
    rmSync(shipped);
    try {
      const file = join(service.environment.DATA_DIR ?? '', 'a-file');
      writeFileSync(file, '');
      await start(undefined, { NODE_COMPILE_CACHE: join(file, 'compiled') });
    } finally {
      writeFileSync(shipped, whole);
    }
  });
});
