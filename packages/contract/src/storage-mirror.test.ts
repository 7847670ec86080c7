import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { maxSaveBytes, saveSlot } from './saves.ts';
import type { StorageChange } from './sdk-protocol.ts';
import {
  charactersOf,
  isSame,
  joined,
  readChanges,
  readEntries,
  storageLimits,
  storageSlot,
  withChanges,
} from './storage-mirror.ts';

const key = fc.constantFrom<string>('a', 'b', '__proto__', '');
const value: fc.Arbitrary<string> = fc.string({ maxLength: 4 });
const entries = fc.array(fc.tuple(key, value)).map((pairs) => new Map(pairs));
const change: fc.Arbitrary<StorageChange> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<StorageChange>(null) },
  {
    weight: 6,
    arbitrary: fc.tuple(key, fc.option(value, { nil: null })).map(([name, to]): StorageChange => [name, to]),
  },
);
const changes = fc.array(change, { maxLength: 12 });

describe('the copy of a storage', () => {
  test('changes as a storage would, without changing the map that was given', () => {
    const before = new Map([
      ['a', '1'],
      ['b', '2'],
    ]);
    assert.deepEqual(
      [
        ...withChanges(before, [
          ['a', '3'],
          ['b', null],
          ['c', ''],
        ]),
      ],
      [
        ['a', '3'],
        ['c', ''],
      ],
    );
    assert.deepEqual([...withChanges(before, [null, ['d', '4']])], [['d', '4']]);
    assert.equal(before.get('a'), '1');
  });

  test('is bounded: changes that do not fit are dropped, and those that free room are not', () => {
    const most = 'x'.repeat(storageLimits.characters - 1);
    const full = withChanges(new Map(), [['k', most]]);
    assert.equal(charactersOf(full), storageLimits.characters);
    assert.deepEqual([...withChanges(full, [['l', '']]).keys()], ['k']);
    assert.equal(withChanges(full, [['k', `${most}x`]]).get('k'), most);
    assert.deepEqual(
      [
        ...withChanges(full, [
          ['k', null],
          ['l', most],
        ]).keys(),
      ],
      ['l'],
    );
    assert.equal(withChanges(full, [['k', 'y']]).get('k'), 'y');
  });

  test('gives the same result for joined changes as one after the other, with one step for a key', () => {
    fc.assert(
      fc.property(entries, changes, changes, (before, one, other) => {
        const both = joined(one, other);
        assert.deepEqual(
          new Set(withChanges(before, both)),
          new Set(withChanges(withChanges(before, one), other)),
        );
        const keys = both.flatMap((each) => (each === null ? [] : [each[0]]));
        assert.equal(new Set(keys).size, keys.length);
      }),
    );
  });

  test('never grows beyond its limit, whatever the changes', () => {
    const large = fc.integer({ min: 0, max: 3 }).map((quarters) => 'x'.repeat(quarters * 300_000));
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.option(large)), { maxLength: 8 }), (given) => {
        assert.ok(charactersOf(withChanges(new Map(), given)) <= storageLimits.characters);
      }),
      { numRuns: 30 },
    );
  });

  test('fits into its slot of the account, and no space can use that slot name', () => {
    assert.equal(storageLimits.packedBytes, maxSaveBytes);
    assert.ok(saveSlot.safeParse(storageSlot).success);
    assert.ok(!saveSlot.safeParse('~other').success);
  });

  test('equals another with the same entries in any order', () => {
    fc.assert(
      fc.property(entries, entries, (one, other) => {
        assert.ok(isSame(one, new Map([...one].reverse())));
        assert.equal(isSame(one, other), isSame(other, one));
        assert.equal(isSame(one, other), charactersOf(one) === charactersOf(other) && same(one, other));
      }),
    );
  });

  test('is read from untrusted messages: only well-formed changes and entries are accepted', () => {
    assert.deepEqual(readChanges([null, ['a', 'b'], ['c', null]]), [null, ['a', 'b'], ['c', null]]);
    assert.deepEqual([...(readEntries([['__proto__', 'x']]) ?? [])], [['__proto__', 'x']]);
    for (const odd of [
      undefined,
      {},
      'x',
      [1],
      [['a']],
      [['a', 1]],
      [[1, 'a']],
      [['a', 'b', 'c']],
      [undefined],
    ]) {
      assert.equal(readChanges(odd), null);
      assert.equal(readEntries(odd), null);
    }
    assert.equal(readEntries([['a', null]]), null);
    assert.equal(readEntries([['a', 'x'.repeat(storageLimits.characters)]]), null);
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        const read = readEntries(anything);
        assert.ok(read === null || read instanceof Map);
        assert.ok(readChanges(anything) === null || Array.isArray(anything));
      }),
    );
  });
});

function same(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  const sorted = (entriesOf: ReadonlyMap<string, string>) => JSON.stringify([...entriesOf].sort());
  return sorted(one) === sorted(other);
}
