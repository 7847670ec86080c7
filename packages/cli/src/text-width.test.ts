import assert from 'node:assert/strict';
import test from 'node:test';
import { formatTable } from './format.ts';
import { textWidth } from './text-width.ts';

test('texts take the columns that a terminal gives them', () => {
  for (const [text, width] of [
    ['', 0],
    ['Moon Hopper', 11],
    ['Größe', 5],
    ['Gro\u0308\u00dfe', 5],
    ['月兎', 4],
    ['ﾂｷ', 2],
    ['한글', 4],
    ['Ｆｕｌｌ', 8],
    ['🐙', 2],
    ['👩‍👩‍👧', 2],
    ['🇨🇭', 2],
    ['❤️', 2],
    ['שלום', 4],
    ['נִקּוּד', 4],
    ['नमस्ते', 3],
    ['\u200b', 0],
  ] as const)
    assert.equal(textWidth(text), width, JSON.stringify(text));
});

test('columns of a table stay in line behind wide characters', () => {
  const table = formatTable([
    ['Title', 'State'],
    ['月兎 🐙', 'listed'],
    ['Moon', 'held'],
  ]);
  assert.equal(table, ['Title    State', '月兎 🐙  listed', 'Moon     held'].join('\n'));
});
