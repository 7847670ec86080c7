import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTraceparent } from './span.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('contains the trace id, the parent span and the sampling flag', () => {
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), { traceId, spanId, isSampled: true });
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-00`), { traceId, spanId, isSampled: false });
  });

  it('may be of a later version with more fields', () => {
    assert.deepEqual(readTraceparent(`01-${traceId}-${spanId}-03-more`), {
      traceId,
      spanId,
      isSampled: true,
    });
  });

  it('is ignored when it is invalid', () => {
    for (const wrong of [
      undefined,
      '',
      `ff-${traceId}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${traceId}-${spanId}`,
      [`00-${traceId}-${spanId}-01`],
    ])
      assert.equal(readTraceparent(wrong), null, String(wrong));
  });
});
