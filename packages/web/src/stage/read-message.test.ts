import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { argumentsOf } from './arguments.ts';
import { loadOfHello, readMessage } from './read-message.ts';
import { StageError } from './stage-error.ts';

test('reads calls and notices, and keeps the id of an invalid call', () => {
  assert.deepEqual(readMessage({ id: 3, m: 'run', a: ['points'] }), {
    is: 'call',
    id: 3,
    m: 'run',
    a: ['points'],
  });
  assert.deepEqual(readMessage({ m: 'ready', a: [] }), { is: 'notice', m: 'ready', a: [] });
  assert.deepEqual(readMessage({ id: 4, m: 'run' }), { is: 'odd', id: 4 });
  for (const odd of [null, 7, 'x', [], { id: 'x', m: 'run', a: [] }, { id: 1.5, m: 'run', a: [] }])
    assert.deepEqual(readMessage(odd), { is: 'odd', id: null });
});

test('never throws, whatever a frame can send', () => {
  fc.assert(
    fc.property(fc.anything({ withMap: true, withTypedArray: true, withNullPrototype: true }), (value) => {
      readMessage(value);
      loadOfHello(value);
      loadOfHello({ spaceport: 1, hello: value });
    }),
  );
});

test('accepts a hello of our protocol alone', () => {
  const hello = (change: object) => ({
    spaceport: 1,
    hello: { versions: [1], version: 3, load: 'a', ...change },
  });
  assert.equal(loadOfHello(hello({})), 'a');
  for (const other of [
    hello({ versions: [2] }),
    hello({ load: 1 }),
    hello({ load: 'x'.repeat(101) }),
    { hello: {} },
  ])
    assert.equal(loadOfHello(other), null);
});

test('reads arguments by their type, and names the one that is wrong', () => {
  const given = argumentsOf(['key', 2, { a: [1, null, 'x'] }, new Uint8Array([1])]);
  assert.deepEqual(
    [given.text(0, 'k'), given.number(1, 'n'), given.json(2, 'j')],
    ['key', 2, { a: [1, null, 'x'] }],
  );
  assert.deepEqual(given.data(3, 'd'), new Uint8Array([1]));
  assert.equal(given.json(9, 'none'), undefined);
  const round: unknown[] = [];
  round.push(round);
  const wrong = argumentsOf(['', Number.NaN, round, new Map(), () => {}, undefined]);
  for (const take of [
    () => wrong.text(0, 'it'),
    () => wrong.number(1, 'it'),
    () => wrong.json(2, 'it'),
    () => wrong.json(3, 'it'),
    () => wrong.data(4, 'it'),
    () => wrong.data(5, 'it'),
    () => wrong.record(0, 'it'),
  ])
    assert.throws(take, (error) => {
      assert.ok(error instanceof StageError && error.code === 'invalid');
      return error.more.issues?.[0]?.path === 'it';
    });
});
