import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyPage } from './only-page.ts';

test('the only page at the top is meant, else the only one', () => {
  assert.equal(onlyPage(['game.js', 'Moon Hopper.html', '404.html', 'help/index.htm']), 'Moon Hopper.html');
  assert.equal(onlyPage(['web/INDEX.HTML', 'web/404.html']), 'web/INDEX.HTML');
  assert.equal(onlyPage(['a.html', 'b.html']), undefined);
  assert.equal(onlyPage(['a/a.html', 'b/b.html']), undefined);
  assert.equal(onlyPage(['game.js', 'notes.html.txt']), undefined);
});
