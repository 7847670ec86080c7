import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { diffManifests, type Manifest } from './manifest.ts';

const manifest = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[a-f]{1,3}$/u), fc.stringMatching(/^[01]$/u)), {
    selector: ([path]) => path,
  })
  .map((entries): Manifest => entries.map(([path, hash]) => [path, hash, 1]));

describe('diffManifests', () => {
  it('returns the changes that turn the first manifest into the second', () => {
    fc.assert(
      fc.property(manifest, manifest, (before, after) => {
        const { added, changed, removed, unchanged } = diffManifests(before, after);
        const paths = new Set(before.map(([path]) => path));
        for (const path of removed) assert.ok(paths.delete(path));
        for (const path of added) assert.ok(!paths.has(path) && paths.add(path));
        assert.deepEqual([...paths].sort(), after.map(([path]) => path).sort());
        assert.equal(unchanged + changed.length + added.length, after.length);
      }),
    );
  });
});
