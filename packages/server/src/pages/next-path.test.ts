import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownPath } from './next-path.ts';

describe('the path to go to next', () => {
  for (const own of ['/', '/device', '/device?user_code=WDJB-MJHT', '/s/game#top', '/@ada', '/a?next=//b']) {
    it(`may be ${own}`, () => assert.equal(ownPath(own), own));
  }

  const foreign = [
    undefined,
    '',
    'device',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\ud800',
    '/a\r\nSet-Cookie: x=y',
  ];
  for (const path of foreign) {
    it(`may not be ${JSON.stringify(path)}`, () => assert.equal(ownPath(path), '/'));
  }
});
