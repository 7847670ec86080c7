import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHostSeats } from './host-seats.ts';

test('a host has a limited number of seats, which do not count for other hosts', () => {
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
