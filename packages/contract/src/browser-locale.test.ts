import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserLocale } from './browser-locale.ts';

test('a browser’s language is one that Intl takes', () => {
  const given = ['de-CH', 'zh-Hant-TW', 'en-US@posix', 'en_US.UTF-8', 'sr-RS@latin', ''];
  const found = given.map((language) => browserLocale({ language }));
  assert.deepEqual(found, ['de-CH', 'zh-Hant-TW', 'en-US', 'en-US', 'sr-RS', 'en']);
  assert.deepEqual(Intl.getCanonicalLocales(found), [...new Set(found)]);
});
