import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { codeOf, hostingCodeOf, onceFree } from '../../../test/answers.ts';
import { fileEntries, listing, smallGame } from '../../../test/files.ts';
import { startService, type TestService } from '../../../test/service.ts';
import { everyOperation } from '../../../test/valid-requests.ts';
import '../../../test/one-engine.ts';

const MiB = 1024 * 1024;
const create = '/api/v1/hosting/versions';

/** Announces a body and sends none of it. Resolves with what comes back while the connection is open. */
function announce(port: number, path: string, bytes: number, head = ''): Sent {
  return send(port, `POST ${path}`, `Content-Length: ${bytes}\r\n${head}`);
}

interface Sent {
  readonly socket: Socket;
  /** What came back until the connection ended. */
  readonly answer: Promise<string>;
}

/** Sends the head of a request, and nothing after it. */
function send(port: number, target: string, head: string): Sent {
  const socket = connect(port, '127.0.0.1');
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  socket.write(`${target} HTTP/1.1\r\nHost: localhost:${port}\r\n${head}\r\n`);
  return { socket, answer };
}

describe('a body', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ role: 'serve', environment: { BODY_MEMORY_BYTES: '16m' } });
  });
  after(async () => {
    await service.close();
  });

  it('is not waited for when its credential is wrong', async () => {
    const authorization = 'Authorization: Bearer sp_token_wrong\r\n';
    const { answer } = announce(service.port, create, 4 * MiB, authorization);
    assert.match(await answer, /^HTTP\/1\.1 401 [\s\S]*connection: close[\s\S]*"unauthorized"/u);
    const closed = everyOperation.filter(
      ({ credential, method }) =>
        method !== 'GET' && ['token', 'secret', 'operator', 'session'].includes(credential),
    );
    assert.ok(closed.length > 20);
    for (const { path, id } of closed) {
      const { answer: refused } = announce(service.port, path.replaceAll(/\{\w+\}/gu, 'xyz'), 100);
      // A path with another method than POST gives 405: the body is not read for that either.
      assert.match(await refused, /^HTTP\/1\.1 40[15] /u, id);
    }
  });

  it('is refused by its declared length when it is over the operation’s limit', async () => {
    for (const path of ['/api/agent/login', '/api/agent/token', '/api/account/sign-in']) {
      const { answer } = announce(service.port, path, 4 * MiB, 'Sec-Fetch-Site: same-origin\r\n');
      assert.match(await answer, /^HTTP\/1\.1 413 [\s\S]*"maxBodyBytes":131072/u, path);
    }
  });

  it('without a declared length is cut off at the operation’s limit', async () => {
    const answer = await service.get(`${service.baseUrl}/api/agent/login`, {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body: ' '.repeat(200_000),
    });
    assert.deepEqual([answer.status, answer.json().error], [413, 'too_large']);
  });

  it('that is announced in no way is an empty one, for every operation', async () => {
    const { token } = await service.creator('ada', { operator: true });
    const head = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    for (const { method, path, id } of everyOperation) {
      const { answer } = send(service.port, `${method} ${path.replaceAll(/\{\w+\}/gu, 'xyz')}`, head);
      assert.match(await answer, /^HTTP\/1\.1 [234]\d\d /u, id);
    }
  });

  it('gets memory beside other bodies, or is told to come back', async () => {
    // One network may use a quarter of the memory: one body of this length.
    const both = [1, 2].map(() => announce(service.port, create, 4 * MiB));
    const refused = await Promise.race(both.map(({ answer }) => answer));
    assert.match(refused, /^HTTP\/1\.1 503 [\s\S]*retry-after: \d+[\s\S]*"hosting_unavailable"/u);
    const small = await service.anonymous.call('POST', create, '{}');
    const why = 'a body that is announced holds its room until it ends';
    assert.deepEqual(hostingCodeOf(small), [503, 'hosting_unavailable'], why);
    for (const { socket } of both) socket.destroy();
    const body = { fields: listing, files: fileEntries(smallGame) };
    // The service notices the end of a connection with a delay.
    const { status } = await onceFree(() => service.anonymous.call('POST', create, body));
    assert.equal(status, 201);
  });

  it('is read after it is refused, so that the client receives the response', async () => {
    const answer = await service.get(`${service.baseUrl}/api/agent/login`, {
      method: 'POST',
      body: Buffer.alloc(6 * MiB, ' '),
    });
    assert.deepEqual(codeOf(answer), [413, 'too_large']);
  });

  it('is refused as compressed if it is', async () => {
    const answer = await service.get(`${service.baseUrl}${create}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ fields: listing, files: fileEntries(smallGame) })),
    });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.json().issues, [{ path: '', message: 'must be JSON as it is, not compressed' }]);
  });

  it('with many wrong fields is answered with few of them', async () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 1]));
    for (const count of [40_000, 250_000]) {
      const answer = await service.anonymous.call('POST', create, {
        fields: { ...listing, ...unknown(count) },
        files: fileEntries(smallGame),
      });
      assert.equal(answer.status, 422);
      assert.ok(answer.body.length < 20_000, `${answer.body.length} bytes`);
      assert.ok(answer.json().issues.length <= 50);
    }
    const long = await service.anonymous.call('POST', create, {
      fields: { ['x'.repeat(MiB)]: 1 },
      files: fileEntries(smallGame),
    });
    assert.ok(long.body.length < 2_000, `${long.body.length} bytes`);
  });

  it('of a million values is refused before the values are checked one by one', async () => {
    const answer = await service.anonymous.call('POST', create, `[${'1,'.repeat(MiB)}1]`);
    assert.deepEqual([answer.status, answer.json().code], [422, 'invalid_request']);
    assert.match(answer.json().error, /more than 50000 values/u);
  });
});

describe('large bodies without an account', () => {
  it('are counted by network before they are read', async () => {
    const service = await startService({ role: 'serve' });
    const bytes = 4_000_000;
    try {
      const creator = await service.creator();
      // Far more than the limit of a minute, even with what is refilled while they are sent.
      const announced = Array.from({ length: 40 }, () => announce(service.port, create, bytes));
      const limited = /^HTTP\/1\.1 429 [\s\S]*"rate_limited"/u;
      await Promise.any(announced.map(async ({ answer }) => assert.match(await answer, limited)));
      const large = ' '.repeat(bytes);
      // The accepted bodies hold their room until they end, which the service notices with a delay.
      for (const { socket } of announced) socket.destroy();
      const blank = await onceFree(() => creator.call('POST', create, large));
      assert.deepEqual(hostingCodeOf(blank), [422, 'invalid_request']);
      const small = await service.anonymous.call('POST', create, '{}');
      assert.deepEqual(hostingCodeOf(small), [422, 'invalid_request']);
      const answers = await Promise.all(announced.map(({ answer }) => answer));
      const refused = answers.filter((text) => limited.test(text)).length;
      assert.ok(refused <= announced.length - 8, `${refused} were refused`);
    } finally {
      await service.close();
    }
  });
});
