import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHandle } from './handle.ts';

describe('a handle', () => {
  it('is stored in lower case and without the @', () => {
    assert.equal(parseHandle(' @Ada_99 '), 'ada_99');
    assert.equal(parseHandle('abc'), 'abc');
    assert.equal(parseHandle('a'.repeat(24)), 'a'.repeat(24));
  });

  for (const bad of [
    '',
    'ab',
    'a'.repeat(25),
    '9lives',
    '_ada',
    'ada-l',
    'äda',
    'ada l',
    'a\u0000bc',
    'ＡＤＡ',
  ]) {
    it(`is not ${JSON.stringify(bad)}`, () => assert.throws(() => parseHandle(bad), { code: 'invalid' }));
  }

  it('is no reserved word, in any case, unless an operator gives it', () => {
    assert.throws(() => parseHandle('Admin'), /reserved/u);
    assert.throws(() => parseHandle('SUPPORT'), /reserved/u);
    assert.equal(parseHandle('admin', { mayReserved: true }), 'admin');
  });
});
