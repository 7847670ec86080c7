import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressMeter, type PublishProgress } from './progress.ts';

test('the rate is that of the last seconds, and the remaining time follows from it', () => {
  let nowMs = 0;
  let last: PublishProgress | undefined;
  const meter = new ProgressMeter(
    (progress) => {
      last = progress;
    },
    () => nowMs,
  );
  meter.startUploads(2, 100_000);
  assert.equal(last?.bytesPerSecond, 0);
  assert.equal(last?.secondsLeft, undefined);
  for (nowMs = 1_000; nowMs <= 10_000; nowMs += 1_000) meter.addBytes(1_000);
  assert.equal(last?.bytesPerSecond, 1_000);
  assert.equal(last?.secondsLeft, 90);
  // From here on ten times as fast: after the window the slow time no longer counts.
  for (; nowMs <= 16_000; nowMs += 1_000) meter.addBytes(10_000);
  assert.equal(last?.bytesPerSecond, 10_000);
});
