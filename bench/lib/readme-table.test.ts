import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readmeTable } from './readme-table.ts';
import type { BenchRecord } from './report.ts';
import { type Row, row } from './result.ts';

const ms = (value: number) => ({ value, unit: 'ms' });
const record = (title: string, ...rows: Row[]) => ({
  at: '2026-01-01T00:00:00.000Z',
  machine: 'm',
  result: { title, method: '', rows },
});

describe('the table of figures in the README', () => {
  const text = readmeTable([
    record(
      'Files',
      row('a file', ms(3), { name: 'nginx', ...ms(2) }),
      row('… p99', ms(9), { name: 'nginx', ...ms(8) }, { of: 'ours', atMost: 10 }),
    ),
    record(
      'Nodes',
      row('a swap: median', ms(7)),
      row('… p99', ms(200), null, { of: 'ours', atMost: 100 }),
      row('untold', ms(1)),
    ),
  ]);

  it('counts the aims that are met, in total and for each bench', () => {
    assert.match(text, /^1 of 2 aims are met\./u);
    assert.match(text, /<summary>Files: 1 of 1<\/summary>/u);
    assert.match(text, /<summary>Nodes: 0 of 1<\/summary>/u);
  });

  it('names every row so that it makes sense alone', () => {
    assert.match(text, /\| Nodes: a swap, p99 \| 200 ms \| {2}\| {2}\| ≤ 100 ms \| \*\*no\*\* \|/u);
    assert.doesNotMatch(text, /…/u);
  });

  it('shows rows beside other programs with or without an aim, but no purely informative rows', () => {
    assert.match(text, /\| Files: a file \| 3 ms \| nginx: 2 ms \| 1\.5 \|/u);
    assert.doesNotMatch(text, /untold/u);
  });

  it('is in the README with the recorded figures (npm run docs:bench)', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const records = JSON.parse(read('bench/results.json')) as Record<string, BenchRecord>;
    const inOrder = Object.keys(records)
      .sort()
      .flatMap((name) => records[name] ?? []);
    assert.ok(read('README.md').includes(`<!-- bench -->\n${readmeTable(inOrder)}\n<!-- /bench -->`));
  });
});
