import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserIn } from './browser-name.ts';

const webkit = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test('a browser is told by its user agent', () => {
  assert.deepEqual(browserIn(`${webkit} Version/17.5 Safari/605.1.15`), { name: 'Safari', major: '17' });
  assert.deepEqual(browserIn(`${webkit} Chrome/140.0.0.0 Safari/537.36`), { name: 'Chrome', major: '140' });
  assert.deepEqual(browserIn(`${webkit} Version/4.0 Chrome/140.0 Mobile Safari/537.36 EdgA/141`), {
    name: 'Edge',
    major: '141',
  });
  assert.equal(browserIn(`${webkit} Version/17.5`), null);
  assert.equal(browserIn(`${webkit} Safari/605.1.15`), null);
});

test('a user agent that is as long as a head may be costs no time', { timeout: 20_000 }, () => {
  for (const piece of ['1', '.', '1.', 'Version/', 'Version/1', 'Safari'])
    assert.equal(browserIn(`Version/${piece.repeat(16_000 / piece.length)}`), null);
});
