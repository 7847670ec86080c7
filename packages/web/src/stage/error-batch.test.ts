import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseWith } from '@spaceport/contract/parse';
import { reportErrors } from '@spaceport/contract/play-reports';
import fc from 'fast-check';
import { ErrorBatch } from './error-batch.ts';

const taken = (...notices: unknown[]) => {
  const batch = new ErrorBatch();
  for (const notice of notices) batch.add(notice);
  return batch.take();
};

describe('errors that a frame reports', () => {
  it('are counted together where they are the same', () => {
    const one = { kind: 'uncaught', message: 'no', stack: 'at a', count: 2 };
    assert.deepEqual(taken([one, { ...one, kind: 'rejection' }], [one]), [
      { ...one, count: 4 },
      { ...one, kind: 'rejection' },
    ]);
    const batch = new ErrorBatch();
    batch.add([one]);
    batch.take();
    assert.deepEqual(batch.take(), []);
  });

  it('are at most as many as one call may send', () => {
    const many = Array.from({ length: 15 }, (_, index) => ({ message: `error ${index}` }));
    const others = many.map(({ message }) => ({ message: `other ${message}` }));
    assert.equal(taken(many, others, many).length, 20);
  });

  it('are always valid for the service, whatever a frame sends', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.string({
        unit: fc.constantFrom(
          '\ud800',
          '\u200b',
          '\u202e',
          '\u0000',
          '\t',
          '\r',
          '\n',
          'x',
          '\u{1f600}',
          '\u{e0041}',
        ),
      }),
      fc.string({ minLength: 490, maxLength: 5_000 }),
    );
    const report = fc.record(
      { kind: fc.anything(), message: text, stack: fc.oneof(text, fc.anything()), count: fc.anything() },
      { requiredKeys: ['message'] },
    );
    const notice = fc.oneof(fc.array(fc.oneof(report, fc.anything()), { maxLength: 30 }), fc.anything());
    fc.assert(
      fc.property(notice, notice, (first, second) => {
        const errors = taken(first, second);
        if (errors.length === 0) return;
        const parsed = parseWith(reportErrors.body, { session: 'x', errors });
        assert.ok(parsed.success, JSON.stringify([errors, parsed]));
      }),
      { numRuns: 500 },
    );
  });
});
