import { readFileSync, writeFileSync } from 'node:fs';
import { tablePages, withTables } from '../packages/sdk/src/shims/markdown.ts';

// The tables of these pages are made of what the shims say that they answer (npm run docs:shims).
for (const tables of tablePages) {
  const page = new URL(`../docs/${tables.page}`, import.meta.url);
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), tables));
}
