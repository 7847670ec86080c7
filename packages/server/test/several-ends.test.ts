import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { describe, it } from 'node:test';
import { createVersion } from '@spaceport/contract/hosting';
import { askUntil } from './ask-until.ts';
import { asks, firstPids, isGone, type Several, withSeveral } from './several-processes.ts';

/** A drain that is longer than any of these tests. */
const drain = { DRAIN_SECONDS: '600' };
const mostConnections = 200;

/** A kept-alive connection, and the number of the process that has it. */
interface Kept {
  readonly process: number;
  /** Sends a request. `isKept` says whether it went over the same connection. */
  ask(): Promise<{ isKept: boolean; status: number | undefined }>;
  close(): void;
}

/** Keeps one connection to each of the two processes. @throws an error if one of them gets no connection */
async function keepBoth(several: Several): Promise<{ first: Kept; second: Kept }> {
  const kept: Kept[] = [];
  for (let number = 0; number < mostConnections; number++) {
    kept.push(await keep(several, `/nothing-${number}`));
    const [first, second] = [1, 2].map((wanted) => kept.find((one) => one.process === wanted));
    if (!first || !second) continue;
    for (const one of kept) if (one !== first && one !== second) one.close();
    return { first, second };
  }
  throw new Error('one of the processes takes no connection');
}

async function keep({ server, test, logged }: Several, path: string): Promise<Kept> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { host } = new URL(test.service.config.BASE_URL);
  const ask: Kept['ask'] = () =>
    new Promise((resolve, reject) => {
      const sent = request(
        { agent, port: server.listeningPort, host: '127.0.0.1', path, headers: { host } },
        (response) =>
          void response.resume().once('end', () => {
            resolve({ isKept: sent.reusedSocket, status: response.statusCode });
          }),
      );
      sent.once('error', reject);
      sent.end();
    });
  assert.deepEqual(await ask(), { isKept: false, status: 404 });
  const { process: number = 0 } = await logged((line) => line.path === path);
  return { process: number, ask, close: () => agent.destroy() };
}

describe('the end of a server of two processes', () => {
  it('drains on when one process is killed, does not replace it, and exits with 1', async () => {
    await withSeveral(async (several) => {
      const { server, lines } = several;
      const [, pid] = await firstPids(several);
      const { first } = await keepBoth(several);
      server.child.kill('SIGTERM');
      const readyz = async () => (await asks(several)('/readyz')).json().status;
      await askUntil(readyz, (status) => status === 'closing');
      process.kill(pid, 'SIGKILL');
      await isGone(pid);
      assert.deepEqual(await first.ask(), { isKept: true, status: 404 });
      first.close();
      assert.deepEqual(await server.ended, { code: 1, signal: null });
      assert.equal(lines.filter((line) => line.msg === 'a process is ready').length, 2);
    }, drain);
  });

  it('comes at once with Ctrl-C, which a terminal sends to all of them', async () => {
    await withSeveral(async (several) => {
      const { server } = several;
      const pids = await firstPids(several);
      await keepBoth(several);
      for (const pid of [...pids, server.child.pid ?? 0]) process.kill(pid, 'SIGINT');
      assert.deepEqual(await server.ended, { code: 0, signal: null });
      await Promise.all(pids.map(isGone));
    }, drain);
  });

  it('cuts off open requests at the second Ctrl-C', async () => {
    await withSeveral(async (several) => {
      const { server, test, logged } = several;
      const pids = await firstPids(several);
      const { token } = await test.creator();
      const { host } = new URL(test.service.config.BASE_URL);
      const begun = request({
        port: server.listeningPort,
        host: '127.0.0.1',
        method: createVersion.method,
        path: createVersion.path,
        headers: {
          host,
          authorization: `Bearer ${token}`,
          'content-length': 100,
          expect: '100-continue',
        },
      });
      const isCut = new Promise<void>((resolve) => begun.once('error', () => resolve()));
      begun.flushHeaders();
      // Otherwise the signal could come before the request.
      await once(begun, 'continue');
      for (const pid of [...pids, server.child.pid ?? 0]) process.kill(pid, 'SIGINT');
      await logged((line) => line.msg === 'closing');
      server.child.kill('SIGINT');
      assert.deepEqual(await server.ended, { code: 1, signal: null });
      await Promise.all([isCut, ...pids.map(isGone)]);
    }, drain);
  });
});
