import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { keptBy, parseKeepRules } from './keep-rule.ts';

const hourMs = 3_600_000;
const rules = parseKeepRules('24h 7d 4w 12m');

describe('the keep rule of backups', () => {
  it('keeps one an hour, a day, a week and a month, as many as it says', () => {
    const start = Date.UTC(2026, 0, 1);
    const madeAt = Array.from({ length: 24 * 400 * 2 }, (_, half) => start + half * (hourMs / 2));
    const kept = keptBy(rules, madeAt);
    const newest = Math.max(...madeAt);
    const since = (ms: number) => [...kept].filter((at) => newest - at < ms).length;
    assert.ok(kept.has(newest));
    assert.equal(since(24 * hourMs), 24);
    // The newest backup is also that of its hour, its day, its week and its month.
    assert.ok(kept.size <= 24 + 7 + 4 + 12 - 3, String(kept.size));
    for (const [days, least] of [
      [7, 24 + 5],
      [28, 24 + 5 + 2],
      [400, 24 + 5 + 2 + 10],
    ] as const)
      assert.ok(since(days * 24 * hourMs) >= least, `${days} days: ${since(days * 24 * hourMs)}`);
  });

  it('keeps the same backups whether it is applied after each backup or once at the end', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 20 * 24 * 60 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, (minutes) => {
        let at = Date.UTC(2026, 0, 1);
        const madeAt = minutes.map((gap) => (at += gap * 60_000));
        let there: number[] = [];
        for (const made of madeAt) there = [...keptBy(rules, [...there, made])];
        assert.deepEqual(new Set(there), keptBy(rules, madeAt));
        assert.ok(there.includes(Math.max(...madeAt)));
      }),
    );
  });

  it('keeps the newest, also if no rule does, and one of each seven days by a rule of weeks', () => {
    const day = 24 * hourMs;
    assert.deepEqual(keptBy(parseKeepRules('0h'), [1, 3, 2]), new Set([3]));
    // Weeks begin with the epoch.
    const madeAt = Array.from({ length: 28 }, (_, index) => (index + 7 * 100) * day);
    const kept = [...keptBy(parseKeepRules('9w'), madeAt)].map((at) => at / day - 7 * 100);
    assert.deepEqual(kept, [27, 20, 13, 6]);
  });

  it('is parsed from one line, and any other text is refused', () => {
    assert.deepEqual(parseKeepRules('2d, 1w'), [
      { unit: 'd', count: 2 },
      { unit: 'w', count: 1 },
    ]);
    for (const text of ['', 'all', '24', '24h seven', '-1d']) assert.throws(() => parseKeepRules(text), text);
  });
});
