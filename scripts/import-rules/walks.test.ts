import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkWalks } from './walks.ts';

const there = new Set(['packages/server/src/a/a.ts', 'packages/cli/src/b.ts']);
const found = (text: string) =>
  checkWalks('docs/walks.md', text, there).map(({ line, what }) => `${line}: ${what}`);

test('a walk may name only existing files, and at most as many as its heading says', () => {
  const table = '| step | `a/a.ts` → `cli/src/b.ts` |';
  assert.deepEqual(found(`### A walk (at most 2 files)\n${table}`), []);
  assert.deepEqual(found(`### A walk (at most 1 files)\n${table}\n## Next`), ['1: 2 files']);
  assert.deepEqual(found('### A walk (at most 2 files)\n`a/gone.ts`'), ['2: a/gone.ts']);
});

test('files that are named outside a walk, or in the prose under it, are not counted', () => {
  assert.deepEqual(found('## No walk\n`a/gone.ts`'), []);
  assert.deepEqual(found('### A walk (at most 1 files)\n1. `gone.ts` does it\n   and `other.ts`.'), []);
});
