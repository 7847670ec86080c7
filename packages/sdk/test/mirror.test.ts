import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { storageLimits, withChanges } from '@spaceport/contract/storage-mirror';
import fc from 'fast-check';
import { createMirror } from '../src/mirror.ts';

/** The names that the browser's own storage has. Their values do not matter. */
const like = { getItem: null, setItem: null, removeItem: null, key: null, clear: null, length: 0 };

function mirror(first: [string, string][] = []) {
  const told: StorageChange[] = [];
  return { told, ...createMirror(first, like, (change) => void told.push(change)) };
}

describe('a storage in memory', () => {
  test('behaves as a browser’s storage', () => {
    const { storage, told } = mirror([['a', '1']]);
    assert.deepEqual([storage.length, storage.key(0), storage.key(1)], [1, 'a', null]);
    assert.deepEqual([storage.getItem('a'), storage.getItem('b')], ['1', null]);
    storage.setItem('b', 2 as unknown as string);
    storage.setItem('b', '2');
    storage.removeItem('none');
    storage.removeItem('a');
    storage.clear();
    storage.clear();
    assert.deepEqual(told, [['b', '2'], ['a', null], null]);
    assert.equal(storage.length, 0);
  });

  test('has its entries as properties, and its methods even when a key has their name', () => {
    const { storage, told } = mirror([['best', '7']]);
    assert.equal(storage.best, '7');
    storage.level = 3;
    assert.equal(storage.getItem('level'), '3');
    assert.deepEqual(
      [Object.keys(storage), 'level' in storage, 'other' in storage],
      [['best', 'level'], true, false],
    );
    assert.deepEqual({ ...storage }, { best: '7', level: '3' });
    assert.equal(JSON.stringify(storage), '{"best":"7","level":"3"}');
    delete storage.best;
    assert.deepEqual(Object.entries(storage), [['level', '3']]);
    storage.setItem('getItem', 'x');
    assert.equal(storage.getItem('getItem'), 'x');
    Object.defineProperty(storage, 'made', { value: 1 });
    assert.equal(storage.made, '1');
    assert.equal(storage.length, 3);
    assert.deepEqual(told.at(-1), ['made', '1']);
  });

  test('takes the methods of its class, and what a space puts in their place, as a browser’s storage does', () => {
    const own = new Map([['mine', 'kept']]);
    const names = {
      getItem: (key: string) => own.get(key) ?? null,
      setItem(key: string, value: string) {
        own.set(key, value);
      },
    };
    const { storage } = createMirror([['best', '7']], names, () => {});
    assert.equal(names.getItem.call(storage, 'best'), '7');
    assert.equal(names.getItem.call(own, 'mine'), 'kept');
    const heard: string[] = [];
    const { setItem } = names;
    names.setItem = function (key, value) {
      heard.push(key);
      setItem.call(this, key, value);
    };
    storage.setItem('best', '8');
    assert.deepEqual([storage.getItem('best'), heard, own.has('best')], ['8', ['best'], false]);
    Object.assign(names, {
      setJson(this: Storage, key: string, value: unknown) {
        this.setItem(key, JSON.stringify(value));
      },
    });
    (storage as unknown as { setJson(key: string, value: unknown): void }).setJson('level', { at: 2 });
    assert.deepEqual([storage.level, heard], ['{"at":2}', ['best', 'level']]);
  });

  test('throws a quota error when it is full, as browsers do, and does not change', () => {
    const { storage, told } = mirror();
    const most = 'x'.repeat(storageLimits.characters - 1);
    storage.setItem('k', most);
    assert.throws(
      () => storage.setItem('l', ''),
      (error) => error instanceof DOMException && error.name === 'QuotaExceededError',
    );
    assert.throws(() => (storage.k = `${most}x`));
    assert.deepEqual([storage.length, told.length], [1, 1]);
    storage.setItem('k', '');
    storage.setItem('l', most.slice(1));
    assert.equal(storage.length, 2);
  });

  test('reports every change, so that a listener can build the same entries', () => {
    const step = fc.oneof(
      fc.tuple(
        fc.constant('set'),
        fc.constantFrom('a', 'b', '__proto__', 'key'),
        fc.string({ maxLength: 3 }),
      ),
      fc.tuple(fc.constantFrom('remove', 'clear'), fc.constantFrom('a', 'b', '__proto__'), fc.constant('')),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { storage, told, entries } = mirror([['a', '0']]);
        for (const [does, key, value] of steps) {
          if (does === 'set') storage.setItem(key, value);
          else if (does === 'remove') storage.removeItem(key);
          else storage.clear();
        }
        assert.deepEqual(entries(), [...withChanges(new Map([['a', '0']]), told)]);
        assert.equal(storage.length, entries().length);
      }),
    );
  });

  test('applies changes of others without reporting them', () => {
    const { storage, told, take } = mirror([['a', '1']]);
    take([
      ['a', null],
      ['b', '2'],
    ]);
    assert.deepEqual([storage.getItem('a'), storage.getItem('b'), told], [null, '2', []]);
  });
});
