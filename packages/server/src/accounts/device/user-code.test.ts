import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newUserCode, readUserCode, showUserCode } from './user-code.ts';

describe('a user code', () => {
  it('is eight consonants, shown in two halves', () => {
    for (let round = 0; round < 100; round++) {
      assert.match(showUserCode(newUserCode()), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/u);
    }
  });

  it('is read in lower case, without the hyphen and with spaces', () => {
    for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WDJB–MJHT']) {
      assert.equal(readUserCode(typed), 'WDJBMJHT');
    }
  });

  it('is not read from any other text', () => {
    for (const typed of ['', 'WDJB-MJH', 'WDJB-MJHTT', 'AEIO-UAEI', 'WDJB-MJH1', '<b>WDJBMJ']) {
      assert.equal(readUserCode(typed), null);
    }
  });
});
