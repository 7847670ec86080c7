import assert from 'node:assert/strict';
import { it } from 'node:test';
import { browserEnvironment } from './flags.ts';

it('the browser gets the language of the system, and none that is empty', (context) => {
  const before = process.env.LANG;
  context.after(() => {
    if (before === undefined) delete process.env.LANG;
    else process.env.LANG = before;
  });
  process.env.LANG = 'de_DE.UTF-8';
  assert.equal(browserEnvironment('/home', {}).LANG, 'de_DE.UTF-8');
  process.env.LANG = '';
  assert.equal('LANG' in browserEnvironment('/home', {}), false);
});
