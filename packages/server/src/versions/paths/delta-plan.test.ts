import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Manifest } from '../manifest.ts';
import { wantedDeltas } from './delta-plan.ts';

const size = 50_000;
const manifest = (files: Record<string, string | [string, number]>): Manifest =>
  Object.entries(files).map(([path, file]) =>
    typeof file === 'string' ? [path, file, size] : [path, ...file],
  );
const planned = (now: Manifest, ...before: Manifest[]) =>
  wantedDeltas(now, before).map(({ file, dictionary }) => `${file} from ${dictionary}`);

it('a changed file gets a delta from each different earlier form', () => {
  const now = manifest({ 'a.wasm': 'A3', 'b.png': 'B3' });
  const before = [
    manifest({ 'a.wasm': 'A2', 'b.png': 'B2' }),
    manifest({ 'a.wasm': 'A1', 'b.png': 'B2' }),
    manifest({ 'a.wasm': 'A2' }),
  ];
  assert.deepEqual(planned(now, ...before), ['A3 from A2', 'A3 from A1', 'A3 from A3', 'B3 from B2']);
});

it('an unchanged text gets a delta from itself, and an unchanged picture gets none', () => {
  const now = manifest({ 'a.js': 'J', 'b.png': 'B' });
  assert.deepEqual(planned(now, manifest({ 'a.js': 'J', 'b.png': 'B' })), ['J from J']);
  assert.deepEqual(planned(now), ['J from J']);
});

it('pages, compressed uploads and files that browsers keep no dictionary of get no delta', () => {
  const large = 64 * 1024 * 1024 + 1;
  const now = manifest({
    'index.html': 'H2',
    'a.wasm.br': 'W2',
    'small.js': ['S2', 100],
    'a(1).js': 'P2',
    'large.data': ['L2', large],
    'grown.js': 'G2',
  });
  const before = manifest({
    'index.html': 'H1',
    'a.wasm.br': 'W1',
    'small.js': ['S1', 100],
    'a(1).js': 'P1',
    'large.data': ['L1', large],
    'grown.js': ['G1', 100],
  });
  assert.deepEqual(planned(now, before), ['G2 from G2']);
});
