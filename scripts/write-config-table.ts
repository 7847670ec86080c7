import { readFileSync, writeFileSync } from 'node:fs';
import { settingsAsMarkdown } from '../packages/server/src/config.ts';

// Writes the table of settings in docs/self-hosting.md from the service's own settings (npm run docs:config).
const page = new URL('../docs/self-hosting.md', import.meta.url);
const begin = '<!-- settings: npm run docs:config -->';
const end = '<!-- /settings -->';
const text = readFileSync(page, 'utf8');
const [before, rest] = text.split(begin);
const after = rest?.split(end)[1];
if (before === undefined || after === undefined)
  throw new Error(`docs/self-hosting.md lacks ${begin} or ${end}`);
writeFileSync(page, `${before}${begin}\n${settingsAsMarkdown()}\n${end}${after}`);
