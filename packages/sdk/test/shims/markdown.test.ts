import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { shimsAsMarkdown } from '../../src/shims/markdown.ts';

test('docs/shims.md says what the shims answer (npm run docs:shims)', async () => {
  const page = await readFile(new URL('../../../../docs/shims.md', import.meta.url), 'utf8');
  assert.ok(page.includes(`\n${shimsAsMarkdown()}\n`));
});
