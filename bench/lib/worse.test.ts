import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BenchResult, type Row, row } from './result.ts';
import { worseRows } from './worse.ts';

const of = (...rows: Row[]): BenchResult => ({ title: 't', method: 'm', rows });
const rate = (value: number, reference: number) =>
  row('rate', { value, unit: 'requests/s' }, { name: 'bare', value: reference, unit: 'requests/s' });

describe('figures compared with earlier ones', () => {
  it('are worse by their ratio, not by a slowdown of the machine that affects both', () => {
    assert.deepEqual(worseRows(of(rate(50, 100)), of(rate(25, 50))), []);
    assert.deepEqual(worseRows(of(rate(50, 100)), of(rate(40, 100))), [
      { what: 'rate', before: 0.5, now: 0.4, by: 1 - 0.4 / 0.5 },
    ]);
  });

  it('are worse when a time grows, when a rate falls, and when an aim says so', () => {
    const time = (value: number) => of(row('time', { value, unit: 'ms' }));
    assert.deepEqual(
      worseRows(time(10), time(12)).map(({ by }) => by.toFixed(2)),
      ['0.20'],
    );
    assert.deepEqual(worseRows(time(12), time(10)), []);
    const share = (value: number) =>
      of(row('share', { value, unit: '' }, null, { of: 'ours', atLeast: 0.5 }));
    assert.equal(worseRows(share(1), share(0.8)).length, 1);
    assert.equal(worseRows(share(0.8), share(1)).length, 0);
  });

  it('are matched by their row, also where a row continues the one above', () => {
    const time = (what: string, value: number) => row(what, { value, unit: 'ms' });
    const run = (last: number) => of(time('one', 1), time('… p99', 5), time('two', 1), time('… p99', last));
    assert.deepEqual(
      worseRows(run(10), run(20)).map(({ what }) => what),
      ['two … p99'],
    );
  });

  it('may differ by 15 %, and are compared only within the same row and unit', () => {
    const time = (what: string, value: number, unit = 'ms') => of(row(what, { value, unit }));
    assert.deepEqual(worseRows(time('a', 100), time('a', 115)), []);
    assert.deepEqual(worseRows(time('a', 100), time('b', 900)), []);
    assert.deepEqual(worseRows(time('a', 100), time('a', 900, 's')), []);
  });
});
