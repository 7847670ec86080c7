import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError, ConnectionError } from './api-error.ts';
import { ProgressMeter } from './progress.ts';
import { defaultRetryPolicy, noRetries } from './retry.ts';
import type { BatchRequest, UploadRequest } from './source.ts';
import { uploadAll } from './upload-pool.ts';

const filesOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, at) => ({
    path: `${at}.bin`,
    size: bytes,
    sha256: String(at),
    open: async () => new Uint8Array(),
  }));

/** Uploads files of 100,000 bytes by this transport. */
async function upload(
  files: ReturnType<typeof filesOf>,
  one: (request: UploadRequest) => Promise<void>,
  batch: (request: BatchRequest) => Promise<void>,
): Promise<void> {
  await uploadAll(
    files.map(({ sha256 }) => ({ sha256, url: `http://spaceport.test/upload/${sha256}` })),
    new Map(files.map((file) => [file.sha256, file])),
    {
      transport: Object.assign(one, { batch }),
      batch: { url: 'http://spaceport.test/uploads', maxFileBytes: 100_000 },
      concurrency: 32,
      retry: noRetries,
      baseUrl: 'http://spaceport.test',
      meter: new ProgressMeter(undefined),
      signal: undefined,
      freshUploads: async () => [],
    },
  );
}

test('small files are sent together, and each batch is smaller than a megabyte', async () => {
  const bytes = 100_000;
  const files = filesOf(300, bytes).map((file, at) => (at === 0 ? { ...file, size: 2 * bytes } : file));
  const alone: string[] = [];
  const together: string[] = [];
  await upload(
    files,
    async ({ file }) => void alone.push(file.sha256),
    async ({ parts }) => {
      assert.ok(parts.reduce((sum, { url, file }) => sum + url.length + 1 + file.size, 0) < 1_000_000);
      await nextTurn();
      together.push(...parts.map(({ file }) => file.sha256));
    },
  );
  // The largest, and the one that tells how fast the line is.
  assert.deepEqual(alone.sort(), ['0', '299']);
  assert.equal(new Set(together).size, 298);
});

test('a file that tells how fast the line is goes first, and the others wait for it', async () => {
  const sizes = [1_000_000, 500_000, 90_000, 70_000, 60_000, ...new Array(2_000).fill(500)];
  const files = filesOf(sizes.length, 0).map((file, at) => ({ ...file, size: sizes[at] ?? 0 }));
  const begun: string[] = [];
  const { promise: isStored, resolve: store } = Promise.withResolvers<void>();
  const all = upload(
    files,
    ({ file }) => {
      begun.push(file.sha256);
      return isStored;
    },
    async ({ parts }) => void begun.push(...parts.map(({ file }) => file.sha256)),
  );
  await nextTurn();
  assert.deepEqual(begun, ['3', '0']);
  store();
  await all;
  assert.equal(begun.length, files.length);
  assert.equal(new Set(begun).size, files.length);
});

test('where all files are small, the largest goes first', async () => {
  const begun: string[] = [];
  await upload(
    filesOf(6_000, 500).map((file, at) => (at === 7 ? { ...file, size: 600 } : file)),
    async ({ file }) => void begun.push(file.sha256),
    async () => {},
  );
  assert.deepEqual(begun, ['7']);
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

test('after a lost line, small files are sent together again', async () => {
  const alone: string[] = [];
  const together: string[] = [];
  let isLost = true;
  await upload(
    filesOf(300, 100_000),
    async ({ file }) => {
      isLost = false;
      alone.push(file.sha256);
    },
    async ({ parts }) => {
      await nextTurn();
      if (isLost) throw new ConnectionError('spaceport.test', new Error('lost'));
      together.push(...parts.map(({ file }) => file.sha256));
    },
  );
  assert.equal(alone.length + together.length, 300);
  assert.equal(new Set([...alone, ...together]).size, 300);
  assert.ok(alone.length <= 34, `${alone.length}: one for each batch that was under way`);
});

test('where batches do not get through, all files are sent alone', async () => {
  const alone: string[] = [];
  let batches = 0;
  await upload(
    filesOf(300, 1_000),
    async ({ file }) => void alone.push(file.sha256),
    async () => {
      batches += 1;
      await nextTurn();
      throw new ConnectionError('spaceport.test', new Error('cut off'));
    },
  );
  assert.equal(new Set(alone).size, 300);
  assert.equal(alone.length, 300);
  assert.equal(batches, 2);
});

test('an expired link is replaced once the line is back, although fresh links could not be had before', async () => {
  const [file] = filesOf(1, 1_000);
  assert.ok(file);
  const sent: string[] = [];
  let asked = 0;
  await uploadAll([{ sha256: file.sha256, url: '/old' }], new Map([[file.sha256, file]]), {
    transport: async ({ url }) => {
      if (url.endsWith('/old'))
        throw new ApiError({ status: 403, code: 'link_expired', message: 'The link has expired.' });
      sent.push(url);
    },
    batch: undefined,
    concurrency: 1,
    retry: { ...defaultRetryPolicy, baseMs: 1, maxMs: 1, lostLineMs: 1_000 },
    baseUrl: 'http://spaceport.test',
    meter: new ProgressMeter(undefined),
    signal: undefined,
    freshUploads: async () => {
      if (++asked === 1) throw new ConnectionError('spaceport.test', new Error('lost'));
      return [{ sha256: file.sha256, url: '/fresh' }];
    },
  });
  assert.deepEqual(sent, ['http://spaceport.test/fresh']);
  assert.equal(asked, 2);
});

test('an upload that was lost after a long time is told at once, and sent again for as long as a line is waited for', async () => {
  const [file] = filesOf(1, 1_000);
  assert.ok(file);
  const run = async (longTryMs: number, lostLineMs: number) => {
    const told: boolean[] = [];
    let tries = 0;
    await uploadAll([{ sha256: file.sha256, url: '/link' }], new Map([[file.sha256, file]]), {
      transport: async () => {
        if (++tries <= 2) throw new ConnectionError('spaceport.test', new Error('nothing moved'));
      },
      batch: undefined,
      concurrency: 1,
      retry: { ...defaultRetryPolicy, baseMs: 1, maxMs: 1, lostLineMs, longTryMs },
      baseUrl: 'http://spaceport.test',
      meter: new ProgressMeter(
        ({ isLineLost = false }) => told.at(-1) !== isLineLost && told.push(isLineLost),
      ),
      signal: undefined,
      freshUploads: async () => [],
    });
    return told;
  };
  assert.deepEqual(await run(60_000, 60_000), [false]);
  assert.deepEqual(await run(0, 60_000), [false, true, false]);
  await assert.rejects(run(0, 0), { name: 'ConnectionError' });
});
