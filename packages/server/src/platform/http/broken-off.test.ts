import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, it, mock } from 'node:test';
import { fileEntries, listing } from '../../../test/files.ts';
import { readableLog } from '../../../test/log-lines.ts';
import { startService, type TestService } from '../../../test/service.ts';

const info = 30;
const publish = '/api/v1/hosting/publish';

describe('a request that is broken off', () => {
  let service: TestService;
  const { log, lines } = readableLog();
  before(async () => {
    service = await startService({ role: 'serve', log });
  });
  after(async () => {
    await service.close();
  });
  beforeEach(() => {
    lines.length = 0;
  });

  /** Sends the head of a request and the beginning of its body. Resolves once both are on their way. */
  async function begin(method: string, path: string, head: string, body: string | Uint8Array) {
    const socket = connect(service.port, '127.0.0.1');
    // It may be reset, which is what some of the tests want.
    socket.on('error', () => {});
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost:${service.port}\r\n${head}\r\n`);
    await new Promise((resolve) => socket.write(body, resolve));
    return socket;
  }

  /** Returns the links of a small file, which is received in memory, and of a large one. */
  async function uploadLinks() {
    const files = fileEntries({ 'index.html': 'a'.repeat(30_000), 'game.data': 'b'.repeat(12_000_000) });
    const answer = await service.anonymous.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files,
    });
    assert.equal(answer.status, 201, answer.text());
    const links: { sha256: string; url: string }[] = answer.json().uploads;
    return files.map(({ sha256 }) => {
      const { href, pathname, search } = new URL(links.find((link) => link.sha256 === sha256)?.url ?? '');
      return { href, path: pathname + search };
    });
  }

  /** Returns what the log says of a path once the request has been broken off, without waiting for a time. */
  async function loggedOf(path: string): Promise<string[]> {
    const own = () => lines.filter((line) => line.path === path);
    while (own().length === 0) await new Promise(setImmediate);
    // Whatever else is said of it is said before this answer.
    await service.anonymous.call('GET', '/readyz');
    while (!lines.some((line) => line.path === '/readyz')) await new Promise(setImmediate);
    assert.deepEqual(
      lines.filter(({ level }) => level > info),
      [],
    );
    return own().map(({ method, msg }) => `${method} ${msg}`);
  }

  it('by its client is one quiet line of the log, whatever kind of body it had', async () => {
    const [small, large] = await uploadLinks();
    assert.ok(small && large);
    const many = 'b'.repeat(7_000_000);
    const json = 'content-type: application/json\r\n';
    for (const [method, path, head, body] of [
      ['PUT', small.path, 'content-length: 30000\r\n', 'aaa'],
      ['PUT', small.path, 'transfer-encoding: chunked\r\n', '3\r\naaa\r\n'],
      ['PUT', large.path, 'content-length: 12000000\r\n', many],
      ['POST', '/api/v1/hosting/uploads', 'content-length: 40000\r\n', `${small.href}\naaa`],
      ['POST', publish, 'content-type: application/zip\r\ncontent-length: 4000\r\n', 'PK'],
      ['POST', publish, 'content-type: application/x-tar\r\ncontent-length: 4000\r\n', 'aaa'],
      ['POST', publish, 'content-type: multipart/form-data; boundary=x\r\ncontent-length: 4000\r\n', '--x'],
      ['POST', '/api/v1/hosting/versions', `${json}content-length: 4000\r\n`, '{'],
      ['POST', '/sign-in', 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 40\r\n', 'a'],
      ['POST', '/mcp', `${json}content-length: 4000\r\n`, '{'],
    ] as const) {
      lines.length = 0;
      const socket = await begin(method, path, head, body);
      socket.destroy();
      const [pathname = ''] = path.split('?');
      assert.deepEqual(await loggedOf(pathname), [`${method} request broken off`], `${path} ${head}`);
    }
  });

  it('by us, because the body came too slowly, is one quiet line as well', async () => {
    const [, large] = await uploadLinks();
    assert.ok(large);
    for (const [method, path, head] of [
      ['PUT', large.path, ''],
      ['POST', publish, 'content-type: application/zip\r\n'],
    ] as const) {
      lines.length = 0;
      mock.timers.enable({ apis: ['setInterval'] });
      try {
        const socket = await begin(method, path, `${head}content-length: 12000000\r\n`, 'bbb');
        const ended = once(socket, 'close');
        while (!socket.closed) {
          mock.timers.tick(1_000);
          await new Promise(setImmediate);
        }
        await ended;
      } finally {
        mock.timers.reset();
      }
      const [pathname = ''] = path.split('?');
      assert.deepEqual(await loggedOf(pathname), [`${method} request broken off`], path);
    }
  });
});
