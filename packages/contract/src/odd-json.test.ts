import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOddJson } from './odd-json.ts';

test('a NUL and half of a surrogate pair are odd in JSON, wherever they stand', () => {
  for (const text of ['\0', 'a\0', '\ud800', '\udfffb', '\n\0', '\\\0', '\\\\\ud83d', '"\0"'])
    for (const value of [text, { a: [text] }, { [text]: 1 }])
      assert.equal(isOddJson(JSON.stringify(value)), true, JSON.stringify(value));
});

test('other texts are not, also those that look like the escapes', () => {
  for (const text of ['', 'a', '😀', '\n\u0001', '\\u0000', '\\\\u0000', 'C:\\ud800', '\\\\\\ud83d', 'u0000'])
    for (const value of [text, { a: [text] }, { [text]: 1 }])
      assert.equal(isOddJson(JSON.stringify(value)), false, JSON.stringify(value));
});
