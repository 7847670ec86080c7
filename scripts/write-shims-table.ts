import { readFileSync, writeFileSync } from 'node:fs';
import { shimsAsMarkdown, shimsMarks } from '../packages/sdk/src/shims/markdown.ts';

// The tables of docs/shims.md are made of what the shims say that they answer (npm run docs:shims).
const page = new URL('../docs/shims.md', import.meta.url);
const { begin, end } = shimsMarks;
const text = readFileSync(page, 'utf8');
const [before, rest] = text.split(begin);
const after = rest?.split(end)[1];
if (before === undefined || after === undefined) throw new Error(`docs/shims.md lacks ${begin} or ${end}`);
writeFileSync(page, `${before}${begin}\n${shimsAsMarkdown()}\n${end}${after}`);
