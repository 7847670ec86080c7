import { readFileSync, writeFileSync } from 'node:fs';

// The table of figures in the README is made of bench/RESULTS.md, which npm run bench writes (npm run docs:bench): those
// that have an aim.
const readme = new URL('../README.md', import.meta.url);
const results = readFileSync(new URL('../bench/RESULTS.md', import.meta.url), 'utf8');
const begin = '<!-- bench -->';
const end = '<!-- /bench -->';
const rows = results
  .split('\n')
  .filter((line) => /^\| (?!what |---)/u.test(line))
  .filter((line) => line.split(' | ')[4]?.trim() !== '');
const table = [
  '| what | ours | reference | ratio | aim | met |',
  '| --- | --- | --- | --- | --- | --- |',
  ...rows,
];
const text = readFileSync(readme, 'utf8');
const [before, rest] = text.split(begin);
const after = rest?.split(end)[1];
if (before === undefined || after === undefined) throw new Error(`README.md lacks ${begin} or ${end}`);
writeFileSync(readme, `${before}${begin}\n${table.join('\n')}\n${end}${after}`);
