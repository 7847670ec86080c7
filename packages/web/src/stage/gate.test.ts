import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGate } from './gate.ts';

const limits = { most: 30, flood: 100 };

test('admits at most the limit of messages in any second', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 300 }), (pauses) => {
      let now = 0;
      const gate = createGate(limits, () => now);
      const letIn: number[] = [];
      for (const pause of pauses) {
        now += pause;
        if (gate() === 'in') letIn.push(now);
      }
      for (const at of letIn)
        assert.ok(letIn.filter((time) => time > at - 1_000 && time <= at).length <= limits.most);
    }),
  );
});

test('admits all messages that come slowly enough', () => {
  let now = 0;
  const gate = createGate(limits, () => now);
  for (let message = 0; message < 500; message++) {
    assert.equal(gate(), 'in');
    now += 34;
  }
});

test('refuses messages over the limit, and reports a flood as such', () => {
  let now = 0;
  const gate = createGate(limits, () => now);
  const passages = Array.from({ length: 150 }, gate);
  assert.deepEqual(
    (['in', 'over', 'flood'] as const).map((kind) => passages.filter((each) => each === kind).length),
    [30, 70, 50],
  );
  now += 1_000;
  assert.equal(gate(), 'in');
});
