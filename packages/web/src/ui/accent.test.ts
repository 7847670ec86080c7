import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast, enoughContrast, readableAccent } from './accent.ts';

test('the contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#777777', '#777777'), 1);
  // The lightest grey with enough contrast on white.
  assert.ok(Math.abs(contrast('#767676', '#ffffff') - 4.54) < 0.01);
});

test('a colour that is readable on both backgrounds does not change', () => {
  assert.equal(readableAccent('#2563eb').light, '#2563eb');
});

test('any colour is made readable on light and on dark, and so is text on it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const accent = readableAccent(`#${number.toString(16).padStart(6, '0')}`);
      assert.ok(contrast(accent.light, '#f8f7f4') >= enoughContrast);
      assert.ok(contrast(accent.dark, '#0f1014') >= enoughContrast);
      assert.ok(contrast(accent.light, accent.onLight) >= enoughContrast);
      assert.ok(contrast(accent.dark, accent.onDark) >= enoughContrast);
    }),
  );
});
