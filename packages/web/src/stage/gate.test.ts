import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { createGate, type Passage } from './gate.ts';

const limits = { most: 30, waiting: 60, flood: 200 };

/** A gate with a clock of its own, and the times at which each message came and was let through. */
function gateWithClock() {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  let sent = 0;
  const gate = createGate(limits, () => now);
  const through: { message: number; at: number }[] = [];
  return {
    through,
    close: gate.close,
    send(): Passage {
      const message = sent++;
      return gate.take(() => () => through.push({ message, at: now }));
    },
    pass(ms: number): void {
      for (let passed = 0; passed < ms; passed++) {
        now += 1;
        mock.timers.tick(1);
      }
    },
  };
}

test('lets at most the limit of messages through in any second, in order, and loses none that it took', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 200 });
  fc.assert(
    fc.property(pauses, (each) => {
      const { send, pass, through } = gateWithClock();
      let taken = 0;
      for (const pause of each) {
        pass(pause);
        if (send() === 'taken') taken++;
      }
      pass(3_000);
      assert.equal(through.length, taken);
      const order = through.map(({ message }) => message);
      assert.deepEqual(
        order,
        order.toSorted((one, other) => one - other),
      );
      for (const { at } of through)
        assert.ok(through.filter((other) => other.at > at - 1_000 && other.at <= at).length <= limits.most);
    }),
    { numRuns: 50 },
  );
});

test('lets messages that come slowly enough through at once', () => {
  const { send, pass, through } = gateWithClock();
  for (let message = 0; message < 100; message++) {
    assert.equal(send(), 'taken');
    assert.equal(through.length, message + 1);
    pass(34);
  }
});

test('loses no message of a sender that kept the limit while nothing was read for three seconds', () => {
  const { send, pass, through } = gateWithClock();
  for (let message = 0; message < 90; message++) assert.equal(send(), 'taken');
  assert.equal(through.length, 30);
  pass(2_000);
  assert.equal(through.length, 90);
});

test('refuses messages for which there is no room, and reports a flood as such', () => {
  const { send, pass, through } = gateWithClock();
  const passages = Array.from({ length: 250 }, send);
  const counted = (kind: Passage) => passages.filter((each) => each === kind).length;
  assert.deepEqual([counted('taken'), counted('over'), counted('flood')], [90, 110, 50]);
  pass(1_000);
  assert.equal(send(), 'taken');
  pass(3_000);
  assert.equal(through.length, 91);
});

test('lets nothing through after it was closed', () => {
  const { send, pass, close, through } = gateWithClock();
  for (let message = 0; message < 40; message++) send();
  close();
  pass(2_000);
  assert.equal(through.length, 30);
});
