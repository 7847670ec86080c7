import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHostSeats } from './host-seats.ts';

test('a host has so many seats, whoever takes them, and others have their own', () => {
  const seats = createHostSeats(2);
  const leave = seats.take('one.example');
  assert.ok(leave);
  assert.ok(seats.take('one.example'));
  assert.equal(seats.take('one.example'), null);
  assert.ok(seats.take('two.example'));
  leave();
  assert.ok(seats.take('one.example'));
  assert.equal(seats.take('one.example'), null);
});
