import { readFileSync, writeFileSync } from 'node:fs';
import { tablePages, withTables } from '../packages/sdk/src/shims/markdown.ts';

// Writes the tables of these pages from the shims' documented answers (npm run docs:shims).
for (const tables of tablePages) {
  const page = new URL(`../docs/${tables.page}`, import.meta.url);
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), tables));
}
