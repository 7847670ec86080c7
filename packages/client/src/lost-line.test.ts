import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { fail } from '../test/fake-answers.ts';
import { FakeService } from '../test/fake-service.ts';
import { createClient } from './client.ts';
import { httpUploads } from './node/http-upload.ts';
import { type PublishOptions, publish } from './publish.ts';
import type { RetryPolicy } from './retry.ts';
import type { UploadTransport } from './source.ts';

let service: FakeService;
beforeEach(async () => {
  service = await FakeService.start();
});
afterEach(() => service.close());

const text = new TextEncoder().encode('<h1>Hi</h1>');
const sha256 = createHash('sha256').update(text).digest('hex');
const source = { files: [{ path: 'index.html', size: text.byteLength, sha256, open: async () => text }] };

function run({ lostLineMs, ...options }: Partial<PublishOptions> & Partial<RetryPolicy> = {}) {
  const { baseUrl, token } = service;
  const retry = { attempts: 3, baseMs: 1, maxMs: 1, ...(lostLineMs !== undefined && { lostLineMs }) };
  const client = createClient({ baseUrl, token, retry });
  return publish(client, {
    source,
    details: { fields: { title: 'A game', space_type: 'game', devices: ['desktop'] } },
    live: true,
    ...options,
  });
}

test('a line that is lost for longer than the tries of a call does not end a publish', async () => {
  let lost = 30;
  service.intercept = (_method, path) =>
    path !== '/api/v1/hosting/versions' && lost-- > 0 ? 'hang-up' : null;
  const told: boolean[] = [];
  const { outcome } = await run({
    onProgress: ({ isLineLost = false }) => told.at(-1) !== isLineLost && told.push(isLineLost),
  });
  assert.equal(outcome, 'live');
  assert.deepEqual(told, [false, true, false]);
  lost = 30;
  service.intercept = (_method, path) => (path.endsWith('/finish') && lost-- > 0 ? 'hang-up' : null);
  assert.equal((await run()).outcome, 'live');
});

test('so it is where a gateway answers for a service that restarts', async () => {
  for (const status of [502, 503, 504]) {
    let left = 30;
    service.intercept = (_method, path) =>
      path !== '/api/v1/hosting/versions' && left-- > 0 ? { status, body: '<h1>Bad Gateway</h1>' } : null;
    assert.equal((await run()).outcome, 'live');
  }
  // What the service itself says is no lost line.
  service.intercept = (_method, path) =>
    path.endsWith('/finish') ? fail(503, 'hosting_unavailable', 'Away.') : null;
  await assert.rejects(run(), { code: 'hosting_unavailable' });
});

test('the bytes of uploads that were lost do not count as uploaded', async () => {
  const chunk = new Uint8Array(1024 * 1024);
  const size = 3 * chunk.length;
  const large = {
    path: 'large.bin',
    size,
    sha256: createHash('sha256').update(new Uint8Array(size)).digest('hex'),
  };
  const open = async () =>
    (async function* () {
      for (let at = 0; at < 3; at++) yield chunk;
    })();
  let lost = 8;
  const there = httpUploads();
  // Nobody listens at this port.
  const upload: UploadTransport = (request) =>
    there(lost-- > 0 ? { ...request, url: 'http://127.0.0.1:1/' } : request);
  try {
    const files = [...source.files, { ...large, open }];
    const { uploaded } = await run({ source: { files }, upload });
    assert.deepEqual(uploaded, { files: 2, bytes: text.byteLength + size });
  } finally {
    there.close();
  }
});

test('a line that stays lost ends a publish', async () => {
  service.intercept = (method) => (method === 'PUT' ? 'hang-up' : null);
  await assert.rejects(run({ lostLineMs: 20 }), { name: 'ConnectionError' });
});

test('each try of a create has the key of its publish, and each publish another one', async () => {
  service.intercept = (_method, path, count) =>
    path === '/api/v1/hosting/versions' && count < 3 ? 'hang-up' : null;
  await run();
  await run();
  await run({ createKey: 'kept' });
  const [first, second, third, next, kept] = service.createKeys;
  assert.match(String(first), /^[0-9a-f]{32}$/u);
  assert.deepEqual([second, third], [first, first]);
  assert.match(String(next), /^[0-9a-f]{32}$/u);
  assert.notEqual(next, first);
  assert.equal(kept, 'kept');
});

test('a key that was kept of something else is replaced', async () => {
  service.intercept = (_method, path, count) =>
    path === '/api/v1/hosting/versions' && count === 1 ? fail(409, 'conflict', 'Used.') : null;
  assert.equal((await run({ createKey: 'kept' })).outcome, 'live');
  assert.equal(service.createKeys.length, 2);
  assert.notEqual(service.createKeys[1], 'kept');
});
