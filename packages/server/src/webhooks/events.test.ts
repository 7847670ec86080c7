import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { givenId } from '../platform/db/ids.ts';
import { newEvent } from './events.ts';

const space = { id: givenId('spc', 'spc_1'), slug: 'moon-hopper', title: '\u0001'.repeat(80) };
const tx = { now: Date.UTC(2026, 10, 22, 8), config: readConfig({}) };

test('an event contains its type, time and space, and has at most 8 KiB', () => {
  const { id, type, body } = newEvent(tx, space, 'version.refused', { reason: '\u0001'.repeat(100_000) });
  assert.match(id, /^evt_[0-9a-z]{16}$/u);
  assert.equal(type, 'version.refused');
  assert.ok(Buffer.byteLength(body) < 8_192, String(Buffer.byteLength(body)));
  const event = JSON.parse(body);
  assert.deepEqual([event.id, event.type, event.created_at], [id, type, '2026-11-22T08:00:00.000Z']);
  assert.equal(event.data.space.page, 'http://localhost:3000/s/moon-hopper');
  assert.equal(event.data.reason.length, 1_001);
});

test('a text is cut between characters', () => {
  const { body } = newEvent(tx, space, 'version.refused', { reason: `x${'😀'.repeat(1_000)}` });
  assert.ok(JSON.parse(body).data.reason.isWellFormed());
});
