import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Restarts } from './restarts.ts';

describe('the restart of a worker that ended', () => {
  it('happens at once, then after delays that double up to half a minute', () => {
    const restarts = new Restarts();
    const waits = Array.from({ length: 10 }, () => restarts.waitMs(10));
    assert.deepEqual(waits, [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('happens at once again when a worker has run for long', () => {
    const restarts = new Restarts();
    assert.deepEqual(
      [10, 10, 60_000, 10].map((lasted) => restarts.waitMs(lasted)),
      [0, 500, 0, 500],
    );
  });
});
