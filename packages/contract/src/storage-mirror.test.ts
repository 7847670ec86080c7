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

describe('what is kept of a storage', () => {
  test('changes as a storage would, and what was given stays', () => {
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

  test('has room for so much: what is too much is left out, and what makes room is not', () => {
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

  test('changes joined do what they did one after the other, in at most one step a key', () => {
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

  test('never holds more than it may, whatever the changes', () => {
    const large = fc.integer({ min: 0, max: 3 }).map((quarters) => 'x'.repeat(quarters * 300_000));
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.option(large)), { maxLength: 8 }), (given) => {
        assert.ok(charactersOf(withChanges(new Map(), given)) <= storageLimits.characters);
      }),
      { numRuns: 30 },
    );
  });

  test('fits into its slot of the account, which no space can name for its own', () => {
    assert.equal(storageLimits.packedBytes, maxSaveBytes);
    assert.ok(saveSlot.safeParse(storageSlot).success);
    assert.ok(!saveSlot.safeParse('~other').success);
  });

  test('is the same by what it holds, in whatever order', () => {
    fc.assert(
      fc.property(entries, entries, (one, other) => {
        assert.ok(isSame(one, new Map([...one].reverse())));
        assert.equal(isSame(one, other), isSame(other, one));
        assert.equal(isSame(one, other), charactersOf(one) === charactersOf(other) && same(one, other));
      }),
    );
  });

  test('is read from strangers: changes and entries as they are, and nothing else', () => {
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
