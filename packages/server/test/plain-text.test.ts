import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import fc from 'fast-check';
import { escaped } from '../build/plain-text.ts';

const text = fc.string({ unit: 'binary' }).map((drawn) => drawn.replaceAll(/[\ud800-\udfff]/gu, ''));

describe('the text of built scripts', () => {
  it('has the same meaning in ASCII', () => {
    fc.assert(
      fc.property(text, (drawn) => {
        const quoted = JSON.stringify(drawn);
        const template = `\`${drawn.replaceAll(/[\\`$\r]/gu, (found) => `\\${found}`)}\``;
        for (const code of [quoted, template]) {
          const plain = escaped('a.js', code);
          assert.match(plain, /^[\0-\x7f]*$/u);
          assert.equal(vm.runInNewContext(plain), vm.runInNewContext(code));
        }
      }),
    );
  });

  it('keeps regular expressions, and letters after a backslash', () => {
    for (const code of ['/^[à-ü]+$/.test("éè")', '/^[😀-😎]$/u.test("😃")', '"\\é\\\\é" === "é\\\\é"'])
      assert.equal(vm.runInNewContext(escaped('a.js', code)), true, code);
  });

  it('is refused where an escape would change its meaning', () => {
    assert.throws(() => escaped('a.js', 'String.raw`é`'), /a\.js/u);
  });
});
