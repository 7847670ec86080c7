import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { fitKeys, surplusOf } from './fit-keys.ts';

const keyed = (...keys: string[]) => keys.map((key) => ({ key }));

it('a key that exists already takes no room, wherever it is in the list', () => {
  const { fits, over, wanted } = fitKeys(keyed('c', 'a', 'd', 'b'), new Set(['a', 'b']), 3);
  assert.deepEqual([fits, over, wanted], [keyed('c', 'a', 'b'), keyed('d'), 4]);
});

it('only existing keys fit when there are more of them than the maximum', () => {
  assert.deepEqual(fitKeys(keyed('a', 'd'), new Set(['a', 'b', 'c']), 2).over, keyed('d'));
});

it('fitting keys never exceed the maximum, never leave room unused, and lose nothing', () => {
  const key = fc.constantFrom(...'abcdefghij');
  fc.assert(
    fc.property(fc.uniqueArray(key), fc.uniqueArray(key), fc.nat(12), (names, present, max) => {
      const { fits, over, wanted } = fitKeys(keyed(...names), new Set(present), max);
      const count = new Set([...present, ...fits.map((each) => each.key)]).size;
      assert.ok(count <= Math.max(max, present.length));
      assert.ok(over.length === 0 || count >= max);
      assert.deepEqual([...fits, ...over].map((each) => each.key).toSorted(), names.toSorted());
      assert.equal(wanted, new Set([...present, ...names]).size);
    }),
  );
});

it('the surplus is taken from the front, and protected keys stay', () => {
  const things = keyed('a', 'b', 'c', 'd', 'e');
  assert.deepEqual(surplusOf(things, new Set(['a', 'd']), 3), keyed('b', 'c'));
  assert.deepEqual(surplusOf(things, new Set(['a', 'd']), 5), []);
  assert.deepEqual(surplusOf(things, new Set('abcd'), 3), keyed('e'));
});
