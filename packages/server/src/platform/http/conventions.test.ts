import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { descriptionPaths } from '@spaceport/contract/openapi';
import { operations } from '@spaceport/contract/operations';
import fc from 'fast-check';
import { hostingCodeOf } from '../../../test/answers.ts';
import { fileEntries, listing, publishFiles, smallGame } from '../../../test/files.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import { givenId } from '../db/ids.ts';
import '../../../test/one-engine.ts';

describe('every response under /api', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  const policy = "default-src 'none'; frame-ancestors 'none'";

  it('is JSON, is not cached, and has a request id', async () => {
    for (const path of ['/api/agent/me', '/api/nothing', '/api/v1/hosting/versions/ver_none']) {
      const answer = await creator.call('GET', path);
      assert.match(String(answer.headers['content-type']), /^application\/json/u);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/u);
    }
  });

  it('loads nothing and is in no frame, if a browser opens it', async () => {
    const { get } = service;
    const answers = [
      await creator.call('GET', '/api/spaces'),
      await creator.call('GET', '/api/nothing'),
      await creator.call('POST', '/api/v1/scores', {}),
      await creator.call('GET', '/api/v1/hosting/versions/ver_none'),
      ...(await Promise.all(
        ['/api/gallery', '/api/gallery', '/api/gallery/none', '/.well-known/jwks.json', '/healthz'].map(
          (path) => get(service.baseUrl + path),
        ),
      )),
      await service.anonymous.call('GET', '/api/spaces', undefined, { host: 'elsewhere.example' }),
    ];
    for (const { status, headers } of answers) {
      assert.match(String(headers['content-type']), /^application\/json/u, `${status}`);
      assert.equal(headers['x-content-type-options'], 'nosniff', `${status}`);
      assert.equal(headers['content-security-policy'], policy, `${status}`);
    }
  });

  it('is 404 for an unknown path, and 405 with Allow for another method', async () => {
    const unknown = await creator.call('GET', '/api/nothing');
    assert.deepEqual([unknown.status, unknown.json().error], [404, 'not_found']);
    const inside = await creator.call('GET', '/api/v1/hosting/nothing');
    assert.deepEqual([inside.status, inside.json().code], [404, 'not_found']);
    const method = await creator.call('PATCH', '/api/v1/hosting/versions/x');
    assert.deepEqual(
      [method.status, method.json().code, method.headers.allow],
      [405, 'method_not_allowed', 'DELETE, GET, HEAD'],
    );
  });

  it('is 405 for methods that no operation takes, and 404 for unknown paths', async () => {
    for (const method of ['QUERY', 'PROPFIND', 'OPTIONS', 'TRACE', 'DELETE']) {
      const known = await creator.call(method, '/api/agent/me');
      assert.deepEqual([known.status, known.headers.allow], [405, 'GET, HEAD'], method);
      assert.equal(known.json().error, 'method_not_allowed');
      const unknown = await creator.call(method, '/api/nothing');
      assert.deepEqual([unknown.status, unknown.json().error], [404, 'not_found'], method);
    }
  });

  it('is 405 for other methods of addresses that are no operations, too', async () => {
    const pages = [
      '/healthz',
      '/readyz',
      '/readyz/content',
      ...Object.values(descriptionPaths),
      '/',
      '/llms.txt',
      '/docs/api',
      '/docs/errors.md',
      '/s/moon-hopper',
      '/cli.tgz',
    ];
    const paths = {
      ...Object.fromEntries(pages.map((path) => [path, 'GET, HEAD'])),
      '/metrics': 'GET',
      '/claim': 'GET, HEAD, POST',
      '/mcp': 'POST',
      '/api/auth/passkey/verify-authentication': 'POST',
    };
    for (const [path, allowed] of Object.entries(paths)) {
      const answer = await service.anonymous.call('DELETE', path);
      assert.deepEqual([answer.status, answer.headers.allow], [405, allowed], path);
      if (!allowed.includes('HEAD')) continue;
      const [head, get] = await Promise.all([
        service.anonymous.call('HEAD', path),
        service.anonymous.call('GET', path),
      ]);
      assert.equal(head.body.length, 0, path);
      for (const name of ['content-type', 'content-length', 'cache-control'])
        assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
      assert.equal(head.status, get.status, path);
      for (const tag of ['*', String(get.headers.etag)]) {
        const again = await service.anonymous.call('HEAD', path, undefined, { 'if-none-match': tag });
        assert.ok([get.status, 304].includes(again.status), `${path} ${tag}: ${again.status}`);
      }
    }
  });

  it('lists in Allow the methods of the exact path, not those of a matching pattern', async () => {
    for (const path of ['/api/spaces/verify', '/api/spaces/recapture']) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await creator.call(method, path);
        assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'], `${method} ${path}`);
      }
    }
  });

  it('is not cached and not sniffed, however its path is spelled and whatever is wrong with it', async () => {
    const spelled = {
      '/%61pi/spaces': 200,
      '/%61pi/v1/hosting/versions/none': 404,
      '/%61pi/nothing': 404,
      [`/api/gallery/${'x'.repeat(600)}`]: 422,
    };
    for (const [path, status] of Object.entries(spelled)) {
      const answer = await creator.call('GET', path);
      assert.equal(answer.status, status, path);
      assert.equal(answer.headers['cache-control'], 'no-store', path);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', path);
      assert.equal(answer.headers['content-security-policy'], policy, path);
    }
    const head = await rawExchange(
      service.port,
      `GET /api/spaces HTTP/1.1\r\nHost: localhost:${service.port}\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`,
    );
    assert.match(
      head,
      /^HTTP\/1\.1 431 [\s\S]*x-request-id: [0-9a-f-]{36}\r\n[\s\S]*no-store[\s\S]*nosniff[\s\S]*frame-ancestors 'none'[\s\S]*\{"error":"invalid","message":/u,
    );
  });

  it('refuses a null body also where the body is optional', async () => {
    assert.equal((await service.anonymous.call('POST', '/api/agent/login')).status, 200);
    const answer = await service.anonymous.call('POST', '/api/agent/login', 'null');
    assert.deepEqual([answer.status, answer.json().error], [422, 'invalid']);
  });

  it('is 413 for a body over the limit', async () => {
    const answer = await creator.call('POST', '/api/v1/hosting/versions', ' '.repeat(5 * 1024 * 1024));
    assert.deepEqual([answer.status, answer.json().code], [413, 'too_large']);
  });

  it('accepts JSON with any content type, and refuses text that no database can store', async () => {
    const body = JSON.stringify({ fields: listing, files: fileEntries(smallGame) });
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'];
    for (const type of [...types, '', 'json', ';;=', 'application/json, text/html', 'text/\u00ff']) {
      assert.equal(
        (await creator.call('POST', '/api/v1/hosting/versions', body, { 'content-type': type })).status,
        201,
        type,
      );
    }
    for (const title of ['a\\u0000b', 'a\\ud800b']) {
      const bad = body.replace('Moon Hopper', title);
      const refused = await creator.call('POST', '/api/v1/hosting/versions', bad);
      assert.deepEqual(hostingCodeOf(refused), [422, 'invalid_fields'], title);
    }
    const deep = `{"files":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const nested = await creator.call('POST', '/api/v1/hosting/versions', deep);
    assert.deepEqual(hostingCodeOf(nested), [422, 'invalid_request']);
  });

  it('is never a 500, whatever a client sends', async () => {
    const bodies = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record(
          {
            fields: fc.anything(),
            files: fc.anything(),
            space: fc.anything(),
            entry: fc.anything(),
            preview: fc.anything(),
            version: fc.anything(),
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value) ?? ''),
    );
    const segment = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('..', '%', '%00', 'ver_', '__proto__'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), bodies, segment, async (operation, body, part) => {
        const path = operation.path.replaceAll(/\{\w+\}/gu, encodeURIComponent(part.toWellFormed()));
        const answer = await creator.call(
          operation.method,
          path,
          operation.method === 'GET' ? undefined : body,
        );
        assert.ok(
          answer.status < 500 || answer.status === 503,
          `${operation.method} ${path} ${body}: ${answer.text()}`,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('refuses broken requests, and the server goes on', async () => {
    const broken = [
      'GET / HTTP/1.1\r\n\r\n',
      'NONSENSE\r\n\r\n',
      `GET /%zz HTTP/1.1\r\nHost: localhost:${service.port}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost:${service.port}\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`,
    ];
    for (const request of broken) {
      const answer = await rawExchange(service.port, request);
      assert.match(answer, /^HTTP\/1\.1 4\d\d /u, request.slice(0, 40));
    }
    assert.equal((await service.get(`${service.baseUrl}/healthz`)).status, 200);
  });
});

describe('an internal error', () => {
  it('is answered as a server error with the request id, and reveals nothing internal', async () => {
    const service = await startService();
    try {
      const creator = await service.creator();
      const { version } = await publishFiles(creator, smallGame);
      // The check of the preview writes a report of its own.
      await service.settle();
      const { db, announcements } = service.service.platform.database;
      await db
        .updateTable('versions')
        .set({ report: 'not JSON' as never })
        .where('id', '=', givenId('ver', version.id))
        .execute();
      // The service announces changes of its own.
      announcements.deliver([`version:${version.id}`]);
      const answer = await creator.call('GET', `/api/v1/hosting/versions/${version.id}`);
      assert.equal(answer.status, 500);
      assert.deepEqual(answer.json(), {
        error: 'Something went wrong on our side.',
        code: 'server_error',
        requestId: answer.headers['x-request-id'],
      });
    } finally {
      await service.close();
    }
  });
});

describe('a request for a foreign host', () => {
  it('is answered with 421, except for the probes', async () => {
    const service = await startService();
    try {
      const answer = await service.get('http://elsewhere.example/api/agent/me');
      assert.deepEqual([answer.status, answer.json().error], [421, 'wrong_host']);
      assert.equal((await service.get('http://10.0.0.1/healthz')).status, 200);
    } finally {
      await service.close();
    }
  });
});

function rawExchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
      if (answer.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
