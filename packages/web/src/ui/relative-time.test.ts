import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relativeTime } from './relative-time.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('future times are rounded, and past times are counted in full units', () => {
  const now = Date.UTC(2026, 10, 26);
  const seen = (distance: number) => relativeTime(now + distance, now);
  // A page that stays for a week, a moment after it was made.
  assert.equal(seen(7 * day - 5_000), 'in 7 days');
  assert.equal(seen(24 * hour - 5_000), 'in 24 hours');
  assert.equal(seen(1.4 * day), 'tomorrow');
  assert.equal(seen(-1.9 * day), 'yesterday');
  assert.equal(seen(-59 * 60_000), '59 minutes ago');
  assert.equal(seen(30_000), 'just now');
  assert.deepEqual([-60_000, -hour, -hour + 1, -day, -day + 1, 60_000, hour, day].map(seen), [
    '1 minute ago',
    '1 hour ago',
    '59 minutes ago',
    'yesterday',
    '23 hours ago',
    'in 1 minute',
    'in 1 hour',
    'tomorrow',
  ]);
});
