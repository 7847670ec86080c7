import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { fail } from '../test/fake-answers.ts';
import { FakeService } from '../test/fake-service.ts';
import { createClient } from './client.ts';
import { type PublishOptions, publish } from './publish.ts';
import { waitForVerdict } from './verdict.ts';

let service: FakeService;
beforeEach(async () => {
  service = await FakeService.start();
});
afterEach(() => service.close());

const bytes = new TextEncoder().encode('<h1>Hi</h1>');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const files = [{ path: 'index.html', size: bytes.byteLength, sha256, open: async () => bytes }];
const fields = { title: 'A game', space_type: 'game' as const, devices: ['desktop' as const] };

const connect = () =>
  createClient({ baseUrl: service.baseUrl, token: service.token, retry: { baseMs: 1, maxMs: 1 } });
const run = (options: Partial<PublishOptions> = {}) =>
  publish(connect(), { source: { files }, details: { fields }, live: true, ...options });

test('files that the service loses again and again end the publish after two more uploads', async () => {
  service.intercept = (_method, path) => {
    if (path.endsWith('/finish')) service.blobs.delete(sha256);
    return null;
  };
  await assert.rejects(run(), { code: 'missing_uploads' });
  assert.equal(service.log.filter((line) => line.startsWith('PUT')).length, 3);
});

test('a version that cannot be read now is not made anew', async () => {
  const first = await run({ wait: false });
  service.intercept = (method) => (method === 'GET' ? fail(403, 'forbidden', 'Not with this token.') : null);
  await assert.rejects(run({ resume: first }), { code: 'forbidden' });
  assert.equal(service.creates.length, 1);
});

test('a preview that is being checked is waited for', async () => {
  service.previewVerdict = {};
  const { version } = await run({ live: false, wait: false });
  service.intercept = (method, _path, count) => {
    // The second read of the wait has the report.
    const stored = service.versions.get(version.id);
    if (method === 'GET' && count > 2 && stored) stored.report = { findings: [] };
    return null;
  };
  const read = await waitForVerdict(connect(), version.id);
  assert.deepEqual(read.report, { findings: [] });
});

test('a file that the service refuses for what is in it is named with the reason', async () => {
  const error = '«index.html» contains an API token or secret that still works; take it out and revoke it.';
  const body = { error, code: 'invalid_files', paths: ['index.html'] };
  for (const takesBatches of [false, true]) {
    service.takesBatches = takesBatches;
    service.intercept = (method, path) =>
      method === 'PUT' || path === '/batch' ? { status: 422, body, headers: {} } : null;
    await assert.rejects(run(), { name: 'ApiError', code: 'invalid_files', message: error });
  }
});
