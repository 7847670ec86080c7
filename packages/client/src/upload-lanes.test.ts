import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLanes, UploadLanes } from './upload-lanes.ts';

const MB = 1_000_000;
const most = 32;

/**
 * Sends jobs of these sizes over a line of this speed, which the uploads share, and whose round trip takes as long
 * for each. Returns the most that shared it, and the bytes per second of the slowest that took over ten seconds.
 */
async function send(
  sizes: readonly number[],
  { bytesPerSecond, roundTripMs }: { bytesPerSecond: number; roundTripMs: number },
): Promise<{ atOnce: number; slowest: number; seconds: number }> {
  const stepMs = 50;
  let now = 0;
  let atOnce = 0;
  let slowest = Number.POSITIVE_INFINITY;
  const underWay = new Map<object, { left: number; since: number; bytes: number; done: () => void }>();
  let isOver = false;
  const sending = inLanes(
    sizes.map((bytes) => ({ bytes })),
    new UploadLanes(most, () => now),
    (job) =>
      new Promise<void>((done) => {
        underWay.set(job, { left: job.bytes, since: now, bytes: job.bytes, done });
        atOnce = Math.max(atOnce, underWay.size);
      }),
    assert.ifError,
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    now += stepMs;
    const share = (bytesPerSecond * stepMs) / 1_000 / Math.max(1, underWay.size);
    for (const [job, upload] of underWay) {
      upload.left -= share;
      const tookMs = now - upload.since;
      if (upload.left > 0 || tookMs < roundTripMs) continue;
      if (tookMs > 10_000) slowest = Math.min(slowest, (upload.bytes * 1_000) / tookMs);
      underWay.delete(job);
      upload.done();
    }
    // Lets what waited for an upload go on.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  await sending;
  return { atOnce, slowest, seconds: now / 1_000 };
}

test('large files on a slow line are fast enough, each, to be accepted', async () => {
  for (const bytesPerSecond of [60_000, 125_000, 250_000, 1_000_000]) {
    const sizes = [900_000, ...Array.from({ length: 40 }, (_, at) => (at % 4) * MB + 300_000)];
    const { slowest, seconds } = await send(sizes, { bytesPerSecond, roundTripMs: 100 });
    assert.ok(slowest > 20_000, `${slowest} bytes a second on a line of ${bytesPerSecond}`);
    const least = sizes.reduce((sum, each) => sum + each, 0) / bytesPerSecond;
    assert.ok(seconds < least * 1.2, `${seconds} s, where the line needs ${least}`);
  }
});

test('a fast line is used by all lanes, and so is one with a long way and small files', async () => {
  const large = await send(
    Array.from({ length: 200 }, () => MB),
    { bytesPerSecond: 100 * MB, roundTripMs: 20 },
  );
  assert.equal(large.atOnce, most);
  const small = await send(
    Array.from({ length: 500 }, () => 2_000),
    { bytesPerSecond: 250_000, roundTripMs: 300 },
  );
  assert.equal(small.atOnce, most);
});

test('the first error is thrown when all that has begun is over, and nothing more begins', async () => {
  const begun: number[] = [];
  const told: unknown[] = [];
  const first = new Error('first');
  let isOver = false;
  const failing = inLanes(
    Array.from({ length: 5 }, (_, at) => ({ at, bytes: 1 })),
    new UploadLanes(most, () => 0),
    async ({ at }) => {
      begun.push(at);
      if (at === 0) throw first;
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
      throw new Error('second');
    },
    (error) => told.push(error),
  );
  await assert.rejects(failing, first);
  assert.equal(isOver, true);
  assert.deepEqual(begun, [0, 1]);
  assert.equal(told[0], first);
});

test('no jobs are no work', () =>
  inLanes([], new UploadLanes(most), () => Promise.reject(new Error('a job')), assert.ifError));
