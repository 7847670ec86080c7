import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectionError } from './api-error.ts';
import { ProgressMeter } from './progress.ts';
import { defaultRetryPolicy, noRetries } from './retry.ts';
import type { BatchRequest, UploadRequest } from './source.ts';
import { uploadAll } from './upload-pool.ts';

test('small files are sent together, and each batch is smaller than a megabyte', async () => {
  const bytes = 100_000;
  const files = Array.from({ length: 300 }, (_, at) => ({
    path: `${at}.bin`,
    size: at === 0 ? 2 * bytes : bytes,
    sha256: String(at),
    open: async () => new Uint8Array(),
  }));
  const alone: string[] = [];
  const together: string[] = [];
  const transport = Object.assign(async ({ file }: UploadRequest) => void alone.push(file.sha256), {
    batch: async ({ parts }: BatchRequest) => {
      assert.ok(parts.reduce((sum, { url, file }) => sum + url.length + 1 + file.size, 0) < 1_000_000);
      await nextTurn();
      together.push(...parts.map(({ file }) => file.sha256));
    },
  });
  await uploadAll(
    files.map(({ sha256 }) => ({ sha256, url: `http://spaceport.test/upload/${sha256}` })),
    new Map(files.map((file) => [file.sha256, file])),
    {
      transport,
      batch: { url: 'http://spaceport.test/uploads', maxFileBytes: bytes },
      concurrency: 32,
      retry: noRetries,
      baseUrl: 'http://spaceport.test',
      meter: new ProgressMeter(undefined),
      signal: undefined,
      freshUploads: async () => [],
    },
  );
  assert.deepEqual(alone, ['0']);
  assert.equal(new Set(together).size, 299);
});

test('bytes of an upload that broke off are counted once', async () => {
  const size = 1_000;
  const file = { path: 'a.bin', size, sha256: 'a', open: async () => new Uint8Array(size) };
  const seen: number[] = [];
  let tries = 0;
  await uploadAll([{ sha256: 'a', url: 'http://spaceport.test/upload/a' }], new Map([['a', file]]), {
    transport: async ({ onBytes }) => {
      onBytes(size);
      if (++tries === 1) throw new ConnectionError('http://spaceport.test', new Error('It broke off.'));
    },
    batch: undefined,
    concurrency: 1,
    retry: { ...defaultRetryPolicy, baseMs: 1, maxMs: 1 },
    baseUrl: 'http://spaceport.test',
    meter: new ProgressMeter(({ bytesDone }) => seen.push(bytesDone)),
    signal: undefined,
    freshUploads: async () => [],
  });
  assert.equal(tries, 2);
  assert.equal(Math.max(...seen), size);
});
