import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes, formatCount, formatDuration, formatTable, shortPath } from './format.ts';

test('bytes, durations and tables are formatted for people', () => {
  assert.deepEqual([0, 999, 1_000, 999_950, 1_234_567, 204_800_000, 5e12].map(formatBytes), [
    '0 B',
    '999 B',
    '1.0 kB',
    '1.0 MB',
    '1.2 MB',
    '205 MB',
    '5.0 TB',
  ]);
  assert.deepEqual([0.2, 59, 60, 75, 3_600, 5_400].map(formatDuration), [
    '1 s',
    '59 s',
    '1 min',
    '1 min 15 s',
    '1 h',
    '1 h 30 min',
  ]);
  assert.deepEqual([0, 999, 1_000, 1_234_567].map(formatCount), ['0', '999', '1,000', '1,234,567']);
  assert.equal(
    formatTable([
      ['No.', 'Status'],
      ['10', 'live'],
    ]),
    'No.  Status\n10   live',
  );
});

test('a path is named from the current folder, on one line', () => {
  assert.deepEqual(
    ['/games/moth/service.json', '/else/service.json', '/games/a\nb/service.json'].map((path) =>
      shortPath('/games', path),
    ),
    ['moth/service.json', '/else/service.json', 'a\\nb/service.json'],
  );
});
