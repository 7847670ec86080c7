import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { tablePages, withTables } from '../../src/shims/markdown.ts';

for (const tables of tablePages) {
  test(`docs/${tables.page} lists what is answered (npm run docs:shims)`, async () => {
    const text = await readFile(new URL(`../../../../docs/${tables.page}`, import.meta.url), 'utf8');
    assert.equal(withTables(text, tables), text);
  });
}
