import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { rawRequest } from './raw-http.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/**
 * The length of a log line is about that of this path. A few hundred lines fill all buffers between the
 * service and its reader.
 */
const longPath = `/${'x'.repeat(8_000)}`;
const requests = 400;

describe('a service whose log is not read', () => {
  let folder: string;
  let server: ServerProcess;
  const lines: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spaceport-log-'));
    server = await startServerProcess({ PORT: '0', DATA_DIR: folder, BROWSER: 'none' });
    const { stdout } = server.child;
    assert.ok(stdout);
    createInterface({ input: stdout }).on('line', (line) => lines.push(line));
  });
  after(async () => {
    await server.end('SIGKILL');
    await rm(folder, { recursive: true });
  });

  const ask = () => rawRequest(server.listeningPort, `${server.baseUrl}${longPath}`);

  it('still answers, and reports how many lines were lost once the log is read again', async () => {
    server.child.stdout?.pause();
    for (let sent = 0; sent < requests; sent++) assert.equal((await ask()).status, 404);
    server.child.stdout?.resume();
    const logged = () => lines.filter((line) => line.includes(longPath)).length;
    const lost = () =>
      lines
        .map((line) => (line.includes('"dropped":') ? Number(JSON.parse(line).dropped) : 0))
        .reduce((sum, count) => sum + count, 0);
    // Every line is either read whole or counted as lost.
    while (lost() === 0) await new Promise((resolve) => server.child.stdout?.once('data', resolve));
    assert.equal(logged() + lost(), requests);
  });

  it('exits on SIGTERM', async () => {
    server.child.stdout?.pause();
    for (let sent = 0; sent < requests; sent++) assert.equal((await ask()).status, 404);
    server.child.kill('SIGTERM');
    assert.deepEqual(await server.ended, { code: 0, signal: null });
  });
});
