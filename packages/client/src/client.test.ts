import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { fail, me } from '../test/fake-answers.ts';
import { FakeService } from '../test/fake-service.ts';
import { ApiError, ConnectionError } from './api-error.ts';
import { createClient } from './client.ts';

let service: FakeService;
beforeEach(async () => {
  service = await FakeService.start();
});
afterEach(() => service.close());

const quick = { baseMs: 1, maxMs: 1 };
const connect = (options: { token?: string; claim?: string } = {}) =>
  createClient({ baseUrl: `${service.baseUrl}/`, token: service.token, retry: quick, ...options });

test('calls an operation by its name, typed by the contract', async () => {
  const me = await connect().readMe();
  assert.equal(me.creator.handle, 'ada');
});

test('passes the headers of an answer to onHeaders', async () => {
  let id: string | null = null;
  await connect().readMe({}, { onHeaders: (headers) => (id = headers.get('x-request-id')) });
  assert.equal(id, 'request-1');
});

test('throws an error with its code, status and request id', async () => {
  await assert.rejects(connect({ token: 'wrong' }).listVersions({ params: { slug: 'x' } }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.requestId], [401, 'unauthorized', 'request-1']);
    return true;
  });
});

test('encodes parameters so that they cannot change the path', async () => {
  await assert.rejects(connect().readVersion({ params: { id: '../../agent/me' } }), { code: 'not_found' });
  assert.deepEqual(service.log, ['GET /api/v1/hosting/versions/..%2F..%2Fagent%2Fme']);
  for (const id of ['.', '..'])
    await assert.rejects(connect().readVersion({ params: { id } }), { status: 404, code: 'not_found' });
  await assert.rejects(connect().readVersion({ params: { id: '' } }), TypeError);
  assert.equal(service.log.length, 1);
});

test('a read is retried after a dropped connection, 429 and 503', async () => {
  service.intercept = (_method, _path, count) => {
    if (count === 1) return 'hang-up';
    if (count === 2) return fail(429, 'rate_limited', 'Slowly.', { 'retry-after': '0' });
    return count === 3 ? fail(503, 'hosting_unavailable', 'Away.', { 'retry-after': '0' }) : null;
  };
  await connect().readMe();
  assert.equal(service.log.length, 4);
});

test('a call that gets no answer in its time is not retried', async () => {
  let tries = 0;
  const client = createClient({
    baseUrl: 'http://service.test',
    timeoutMs: 1,
    fetch: (_url, { signal }) => {
      tries += 1;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    },
  });
  await assert.rejects(client.readMe(), { name: 'ConnectionError', message: /timeout/u });
  assert.equal(tries, 1);
});

test('a body has the time that it takes on a slow line besides', async () => {
  const body = new Blob([new Uint8Array(16 * 1024)]);
  const client = createClient({
    baseUrl: 'http://service.test',
    timeoutMs: 1,
    fetch: (_url, { signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        // The body has a second: this is later than the millisecond of the call, and long before its end.
        setTimeout(() => resolve(Response.json({ space: { slug: 'a' } })), 20);
      }),
  });
  const headers = { 'content-type': 'application/zip' };
  const answer = await client.publishArchive({ query: {}, body }, { headers });
  assert.equal(answer.space.slug, 'a');
});

test('a rollback is never retried', async () => {
  service.intercept = () => 'hang-up';
  const call = connect().rollback({ params: { slug: 'a' }, body: { version: 1 } });
  await assert.rejects(call, ConnectionError);
  assert.equal(service.log.length, 1);
});

test('a change of fields is never retried, because it may undo a later one', async () => {
  service.intercept = () => 'hang-up';
  const call = connect().changeSpace({ params: { slug: 'a' }, body: { title: 'A' } });
  await assert.rejects(call, ConnectionError);
  assert.equal(service.log.length, 1);
});

test('the token goes only with calls that take one', async () => {
  const sent: (string | null)[] = [];
  const client = createClient({
    baseUrl: 'http://service.test',
    token: 'sp_token_1',
    fetch: async (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return Response.json({ ...me, device_code: 'code' });
    },
  });
  await client.startLogin({ body: {} });
  await client.readMe();
  assert.deepEqual(sent, [null, 'Bearer sp_token_1']);
});

const files = [{ path: 'index.html', size: 1, sha256: '0'.repeat(64) }];

test('a create is retried when no answer came, but not after a rate limit', async () => {
  service.intercept = (_method, _path, count) => (count === 1 ? 'hang-up' : null);
  await connect().createVersion({ body: { files } });
  assert.equal(service.log.length, 2);

  service.log.length = 0;
  service.intercept = () => fail(429, 'rate_limited', 'Too many publishes.', { 'retry-after': '0' });
  for (const headers of [undefined, { 'idempotency-key': 'one' }])
    await assert.rejects(connect().createVersion({ body: { files } }, { headers }), { code: 'rate_limited' });
  assert.equal(service.log.length, 2);
});

test('a publish in one call is sent again only with a key, and never a stream', async () => {
  service.intercept = () => 'hang-up';
  const key = { 'idempotency-key': 'one' };
  for (const [body, headers, tries] of [
    [new Uint8Array(1), {}, 1],
    [new Uint8Array(1), key, 5],
    [new Blob(['x']).stream(), key, 1],
  ] as const) {
    service.log.length = 0;
    await assert.rejects(connect().publishArchive({ query: {}, body }, { headers }), {
      name: 'ConnectionError',
    });
    assert.equal(service.log.length, tries);
  }
});

test('the claim token goes into the bodies of create and finish, and into a header of reads', async () => {
  const seen: { url: string; claim: string | null; body: string }[] = [];
  const client = createClient({
    baseUrl: 'http://service.test',
    claim: 'sp_claim_1',
    fetch: async (url, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      seen.push({ url: String(url), claim: new Headers(init?.headers).get('x-service-claim'), body });
      return Response.json({ version: { id: 'v1', number: 1 }, status: 'preview' });
    },
  });
  await client.createVersion({ body: { files } });
  await client.finishVersion({ params: { id: 'v1' } });
  await client.readVersion({ params: { id: 'v1' }, query: { wait: 5 } });
  assert.deepEqual(
    seen.map(({ claim, body }) => [claim, body.includes('"claim":"sp_claim_1"')]),
    [
      [null, true],
      [null, true],
      ['sp_claim_1', false],
    ],
  );
  assert.equal(seen[2]?.url, 'http://service.test/api/v1/hosting/versions/v1?wait=5');
});

test('does not follow redirects, which would take the token elsewhere', async () => {
  service.intercept = () => ({ status: 302, body: {}, headers: { location: 'http://elsewhere.test/' } });
  await assert.rejects(connect().readMe(), { code: 'not_the_service', message: /elsewhere\.test/u });
});

test('aborting ends a call with the reason of the signal', async () => {
  const controller = new AbortController();
  service.intercept = () => {
    controller.abort(new Error('enough'));
    return null;
  };
  await assert.rejects(connect().readMe({}, { signal: controller.signal }), { message: 'enough' });
});
