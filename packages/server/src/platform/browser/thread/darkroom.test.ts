import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBlank, isPlain } from './darkroom.ts';

type Point = readonly [number, number, number];
const sample = (colourAt: (x: number, y: number) => Point) =>
  Array.from({ length: 36 * 64 }, (_, index) => [
    ...colourAt(index % 64, Math.floor(index / 64)),
    255,
  ]).flat();
const white: Point = [255, 255, 255];
const words = sample((x, y) => (x < 8 && y < 2 ? [120, 120, 120] : white));

test('a picture of one colour is blank and plain', () => {
  const plain = sample(() => white);
  assert.deepEqual([isBlank(plain), isPlain(plain)], [true, true]);
});

test('a picture of a few words on one colour is plain, but not blank', () => {
  assert.deepEqual([isBlank(words), isPlain(words)], [false, true]);
});

test('a board, a gradient and a dark scene are neither blank nor plain', () => {
  const board = sample((x, y) => (x > 20 && x < 40 && y > 8 && y < 28 ? [200, 160, 40] : [250, 248, 239]));
  const gradient = sample((x) => [x * 4, 0, 255 - x * 4]);
  const night = sample((x, y) => ((x * 7 + y * 13) % 29 === 0 ? [230, 230, 180] : [10, 10, 20]));
  for (const one of [board, gradient, night]) assert.equal(isPlain(one), false);
});
