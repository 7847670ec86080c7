import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { tries } from '../../test/tries.ts';
import { ServiceError } from '../platform/errors.ts';
import { encodeCover } from './encode-cover.ts';

const limits = { maxPixels: 25_000_000, maxMs: 60_000, maxMemoryBytes: 1024 * 1024 * 1024 };
const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal', noise } });
const outcome = (made: Promise<unknown>) =>
  made.then(
    () => 'made',
    (error: unknown) => (error instanceof ServiceError ? error.code : Promise.reject(error)),
  );

describe('an uploaded picture', () => {
  it('is decoded in a process with limits on time and memory', async () => {
    const png = await drawn(640, 480).png().toBuffer();
    assert.equal(await outcome(encodeCover(png, { ...limits, maxMs: 1 })), 'invalid');
    // This is less memory than the process itself needs.
    assert.equal(await outcome(encodeCover(png, { ...limits, maxMemoryBytes: 1_000_000 })), 'invalid');
    assert.equal(await outcome(encodeCover(png, { ...limits, maxPixels: 640 * 480 - 1 })), 'invalid');
    // The next call is not held up.
    const { large, small } = await encodeCover(png, limits);
    const widths = await Promise.all([large, small].map(async (one) => (await sharp(one).metadata()).width));
    assert.deepEqual(widths, [1280, 640]);
  });

  it('cannot exhaust the memory of the service by decompressing', async () => {
    const bomb = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    assert.ok(bomb.length < 4 * 1024 * 1024, `${bomb.length} bytes`);
    assert.equal(await outcome(encodeCover(bomb)), 'invalid');
    // The largest allowed picture.
    const large = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    assert.equal(await outcome(encodeCover(large, limits)), 'made');
  });

  it('is refused when it is damaged in any way', async () => {
    const pictures = await Promise.all([
      drawn(300, 200).png().toBuffer(),
      drawn(300, 200).jpeg({ progressive: true }).toBuffer(),
      drawn(300, 200).webp().toBuffer(),
    ]);
    const damage = fc.record({
      which: fc.nat(pictures.length - 1),
      cut: fc.double({ min: 0.2, max: 1, noNaN: true }),
      flips: fc.array(
        fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 255 })),
        {
          maxLength: 8,
        },
      ),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ which, cut, flips }) => {
        const whole = Buffer.from(pictures[which] ?? []);
        for (const [at, by] of flips) {
          const index = Math.floor(at * whole.length);
          whole[index] = (whole[index] ?? 0) ^ by;
        }
        const result = await outcome(encodeCover(whole.subarray(0, Math.ceil(whole.length * cut)), limits));
        assert.ok(['made', 'invalid'].includes(result), result);
      }),
      { numRuns: tries(8) },
    );
  });

  it('waits for its turn, and is refused when too many wait', async () => {
    const png = await drawn(64, 36).png().toBuffer();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcome(encodeCover(png, limits))));
    assert.deepEqual(outcomes, [...Array(8).fill('made'), ...Array(4).fill('failed')]);
    assert.equal(await outcome(encodeCover(png, limits)), 'made');
  });
});
