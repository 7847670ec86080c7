import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sizeOf } from './message-size.ts';

const most = 100_000;

test('the size of a value that JSON can hold is never far below the length of its JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = new TextEncoder().encode(JSON.stringify(value)).length;
      // Quotes of texts and escapes are not counted: JSON makes a string of control characters six times as
      // long.
      assert.ok(sizeOf(value, most) * 6 + 24 >= json, `${sizeOf(value, most)} for ${json}`);
    }),
  );
});

test('the size of a value that JSON can hold is never over the length of its JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = new TextEncoder().encode(JSON.stringify(value)).length;
      assert.ok(sizeOf(value, most) <= json, `${sizeOf(value, most)} for ${json}`);
    }),
  );
  const map = new Array(40_000).fill(0);
  assert.equal(sizeOf(map, most), JSON.stringify(map).length);
});

test('bytes count by their number, and text by its length in UTF-8', () => {
  assert.equal(sizeOf(new Uint8Array(1_000), most), 1_000);
  assert.equal(sizeOf('é'.repeat(10), most), 20);
});

test('the size of a value over the limit is the limit plus one, without reading the rest', () => {
  assert.equal(sizeOf('x'.repeat(50), 10), 11);
  assert.equal(sizeOf(new Array(1_000_000), 10), 11);
});

test('a value that contains itself is over the limit', () => {
  const loop: { self?: unknown } = {};
  loop.self = [loop, loop];
  assert.equal(sizeOf(loop, most), most + 1);
});
