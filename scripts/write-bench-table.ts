/**
 * `npm run docs:bench`: writes the README's table of figures from bench/results.json, which `npm run bench`
 * writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readmeTable } from '../bench/lib/readme-table.ts';
import type { BenchRecord } from '../bench/lib/report.ts';

const readme = new URL('../README.md', import.meta.url);
const results = new URL('../bench/results.json', import.meta.url);
const begin = '<!-- bench -->';
const end = '<!-- /bench -->';
// Our own program wrote the file.
const records = JSON.parse(readFileSync(results, 'utf8')) as Record<string, BenchRecord>;
const inOrder = Object.keys(records)
  .sort()
  .flatMap((name) => records[name] ?? []);
const text = readFileSync(readme, 'utf8');
const [before, rest] = text.split(begin);
const after = rest?.split(end)[1];
if (before === undefined || after === undefined) throw new Error(`README.md lacks ${begin} or ${end}`);
writeFileSync(readme, `${before}${begin}\n${readmeTable(inOrder)}\n${end}${after}`);
