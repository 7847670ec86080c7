import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Manifest } from '../manifest.ts';
import { type Before, originsOf } from './origins.ts';

const manifest = (files: Record<string, string>): Manifest =>
  Object.entries(files).map(([path, hash]) => [path, hash, 5_000]);

it('a file is redirected to the first consecutive version with the same bytes', () => {
  const first = {
    number: 1,
    manifest: manifest({ 'a.png': 'A', 'b.png': 'B', 'game.js': 'J' }),
    origins: [],
  };
  const second: Before = {
    number: 3,
    manifest: manifest({ 'a.png': 'A', 'b.png': 'B2', 'game.js': 'J' }),
    origins: [['a.png', 1]],
  };
  const third = manifest({ 'a.png': 'A', 'b.png': 'B2', 'c.png': 'A', 'game.js': 'J' });
  assert.deepEqual(originsOf(third, [second, first]), [
    ['a.png', 1],
    ['b.png', 3],
  ]);
  // The file is back after it was gone.
  assert.deepEqual(originsOf(manifest({ 'b.png': 'B' }), [second, first]), [['b.png', 1]]);
  assert.deepEqual(originsOf(third, []), []);
});

it('no file is redirected to another redirect or to other bytes', () => {
  const path = fc.constantFrom('a.png', 'b.wasm', 'c.ogg', 'd.js');
  const files = fc.dictionary(path, fc.constantFrom('A', 'B', 'C'));
  fc.assert(
    fc.property(fc.array(files, { minLength: 1, maxLength: 12 }), (history) => {
      const live: Before[] = [];
      for (const [index, made] of history.entries()) {
        const now = manifest(made);
        live.unshift({ number: index + 1, manifest: now, origins: originsOf(now, live.slice(0, 3)) });
      }
      const hashIn = (number: number, name: string) =>
        live.find((version) => version.number === number)?.manifest.find(([own]) => own === name)?.[1];
      for (const { number, origins } of live) {
        for (const [name, origin] of origins) {
          assert.ok(origin < number);
          assert.equal(hashIn(origin, name), hashIn(number, name));
          const there = live.find((version) => version.number === origin);
          assert.equal(new Map(there?.origins).get(name), undefined);
        }
      }
    }),
  );
});
