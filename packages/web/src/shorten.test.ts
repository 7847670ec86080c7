import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shorten } from './shorten.ts';

describe('a text for a link preview', () => {
  it('is one line', () => {
    assert.equal(shorten(' Hop from moon\n\nto  moon. ', 60), 'Hop from moon to moon.');
  });

  it('ends after a word, with an ellipsis', () => {
    assert.equal(shorten('Hop from moon to moon, and home', 24), 'Hop from moon to moon…');
    assert.equal(shorten('Hop from moon to moon', 21), 'Hop from moon to moon');
  });

  it('is never cut within a character', () => {
    assert.equal(shorten('🌙'.repeat(10), 5), `${'🌙'.repeat(4)}…`);
    assert.ok(shorten('x🌙'.repeat(200), 300).isWellFormed());
  });
});
