import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { startContentHost } from './testing/content-host.ts';

const host = 'game.play.localhost:3000';
const large = randomBytes(8 * 1024 * 1024);
const readers = 40;
/**
 * Far less than the kernel buffers for a reader that reads nothing, and far more than is sent in a few turns.
 */
const bytesOfEach = 1_000_000;

/** Sends a request on an open connection. */
async function askOn(agent: Agent, port: number): Promise<void> {
  const asked = get({ host: '127.0.0.1', port, path: '/', headers: { host }, agent });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  answer.resume();
  await once(answer, 'end');
}

describe('many readers of large files', () => {
  test('let a small file be sent between them', async () => {
    await using content = await startContentHost();
    content.addSite('game', {
      'index.html': 'small',
      'large.bin': { bytes: large },
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await askOn(agent, content.port);
    const sockets: Socket[] = Array.from({ length: readers }, () => connect(content.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const first = Promise.race(sockets.map((socket) => once(socket, 'readable')));
    for (const socket of sockets) socket.write(`GET /large.bin HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await first;
    const before = content.bytesSent();
    await askOn(agent, content.port);
    const sent = content.bytesSent() - before;
    assert.ok(sent < readers * bytesOfEach, `${sent} bytes went out before the small file`);
    for (const socket of sockets) socket.destroy();
    agent.destroy();
  });

  test('use memory only until the kernel has the bytes that were read for them', async () => {
    await using content = await startContentHost();
    content.addSite('game', { 'index.html': 'small', 'large.bin': { bytes: large } });
    const chunks: Buffer[] = [];
    const { open } = content.store;
    content.store.open = async (...args) => {
      const stream = await open.apply(content.store, args);
      const push = stream.push.bind(stream);
      // Pushes each part separately, as the parts of a file are.
      stream.push = (part: Buffer | null) => {
        if (part === null) return push(null);
        const own = Buffer.from(new Uint8Array(part).buffer);
        chunks.push(own);
        return push(own);
      };
      return stream;
    };
    const answer = await content.ask('/large.bin');
    assert.ok(answer.body.equals(large));
    assert.ok(chunks.length > 1);
    assert.deepEqual(new Set(chunks.map(({ byteLength }) => byteLength)), new Set([0]));
  });
});
