import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeService } from '../test/fake-service.ts';
import { createClient } from './client.ts';
import { type PublishOptions, publish } from './publish.ts';
import type { RetryPolicy } from './retry.ts';

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

test('a line that stays lost ends a publish', async () => {
  service.intercept = (method) => (method === 'PUT' ? 'hang-up' : null);
  await assert.rejects(run({ lostLineMs: 20 }), { name: 'ConnectionError' });
});
