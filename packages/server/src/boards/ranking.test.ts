import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  dayMs,
  firstPeriod,
  type Period,
  parseWindow,
  scoreOf,
  sortKeyOf,
  standingAfter,
  standingsOf,
  windowAt,
} from './ranking.ts';

const at = (text: string) => Date.parse(text);
const instants = fc.integer({ min: at('1971-01-01'), max: at('2099-12-31') });
const periods: Period[] = ['all', 'day', 'week', 'month'];

describe('a window of time', () => {
  it('is named by its day, its ISO week or its month, in UTC', () => {
    const cases: [string, string, string, string][] = [
      ['2026-11-21T23:59:59.999Z', '2026-11-21', '2026-W47', '2026-11'],
      ['2026-11-22T00:00:00.000Z', '2026-11-22', '2026-W47', '2026-11'],
      ['2026-11-23T00:00:00.000Z', '2026-11-23', '2026-W48', '2026-11'],
      // In these years the first days are in the last week of the year before, or the last days
      // in the first week of the next.
      ['2027-01-03T12:00:00.000Z', '2027-01-03', '2026-W53', '2027-01'],
      ['2027-01-04T00:00:00.000Z', '2027-01-04', '2027-W01', '2027-01'],
      ['2024-12-30T00:00:00.000Z', '2024-12-30', '2025-W01', '2024-12'],
      ['2023-01-01T00:00:00.000Z', '2023-01-01', '2022-W52', '2023-01'],
      ['2024-02-29T08:00:00.000Z', '2024-02-29', '2024-W09', '2024-02'],
    ];
    for (const [instant, ...names] of cases) {
      const found = (['day', 'week', 'month'] as const).map((period) => windowAt(period, at(instant)));
      assert.deepEqual(found, names, instant);
      assert.equal(windowAt('all', at(instant)), 'all');
    }
  });

  it('is the same for every instant of a day', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        for (const period of periods)
          assert.equal(windowAt(period, instant), windowAt(period, instant - (instant % dayMs)));
      }),
    );
  });

  it('is read back from its name', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...periods), (instant, period) => {
        const window = windowAt(period, instant);
        assert.deepEqual(parseWindow(window, 0), { period, window });
        assert.deepEqual(parseWindow(period, instant), { period, window });
      }),
    );
  });

  it('is not read from an impossible date', () => {
    const wrong = ['2026-02-30', '2026-13-01', '2026-00-10', '2026-13', '2026-00', '2026-W00', '2025-W53'];
    for (const name of [...wrong, '2026-W54', '2026-11-32']) assert.equal(parseWindow(name, 0), null, name);
    assert.notEqual(parseWindow('2026-W53', 0), null);
  });
});

describe('the standing of a player', () => {
  const rules = (sort: 'asc' | 'desc', keep: 'best' | 'last' | 'sum') => ({
    sort,
    keep,
    periods: ['all'] as const,
  });
  const stands = (sort: 'asc' | 'desc', keep: 'best' | 'last' | 'sum', scores: readonly number[]) => {
    const submissions = scores.map((score, index) => ({ id: index + 1, score, createdAt: 0 }));
    const place = standingsOf(rules(sort, keep), submissions).get('all');
    return place && [scoreOf({ sort }, place.sortKey), place.submissionId];
  };

  it('is the best, the last or the sum of the scores', () => {
    assert.deepEqual(stands('desc', 'best', [3, 5, 4]), [5, 2]);
    assert.deepEqual(stands('asc', 'best', [3, 5, 2]), [2, 3]);
    assert.deepEqual(stands('desc', 'last', [3, 5, 4]), [4, 3]);
    assert.deepEqual(stands('desc', 'sum', [3, 5, -4]), [4, 3]);
    assert.deepEqual(stands('asc', 'sum', [0.1, 0.2]), [0.1 + 0.2, 2]);
    assert.equal(stands('asc', 'best', []), undefined);
  });

  it('stays with the earlier submission when an equal score comes', () => {
    assert.deepEqual(stands('desc', 'best', [5, 5]), [5, 1]);
    assert.deepEqual(stands('asc', 'best', [0, -0]), [0, 1]);
    assert.deepEqual(stands('desc', 'last', [5, 5]), [5, 2]);
  });

  it('is computed for each window separately', () => {
    const submissions = [
      { id: 1, score: 9, createdAt: at('2026-11-21T10:00:00Z') },
      { id: 2, score: 4, createdAt: at('2026-11-22T10:00:00Z') },
    ];
    const standings = standingsOf(
      { sort: 'desc', keep: 'best', periods: ['day', 'all', 'week'] },
      submissions,
    );
    assert.deepEqual([...standings].map(([window, { submissionId }]) => [window, submissionId]).toSorted(), [
      ['2026-11-21', 1],
      ['2026-11-22', 2],
      ['2026-W47', 1],
      ['all', 1],
    ]);
  });

  it('never has a sort key of -0, and keeps the score exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (score) => {
        for (const sort of ['asc', 'desc'] as const) {
          const key = sortKeyOf({ sort }, score);
          assert.ok(!Object.is(key, -0));
          assert.equal(scoreOf({ sort }, key), score + 0);
          const zero = standingAfter(
            rules(sort, 'sum'),
            { sortKey: key, submissionId: 1 },
            { id: 2, score: -score },
          );
          assert.ok(Object.is(zero.sortKey, 0));
        }
      }),
    );
  });

  it('is reported in the ranking of all time, or else in the first one', () => {
    assert.equal(firstPeriod({ periods: ['day', 'all'] }), 'all');
    assert.equal(firstPeriod({ periods: ['week', 'day'] }), 'week');
  });
});
