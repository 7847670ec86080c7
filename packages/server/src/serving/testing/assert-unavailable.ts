import assert from 'node:assert/strict';
import type { Answer } from './content-host.ts';

export function assertUnavailable(answer: Answer): void {
  assert.equal(answer.status, 503);
  assert.match(String(answer.headers['retry-after']), /^\d+$/u);
  assert.equal(answer.headers['cache-control'], 'private, no-store');
  assert.equal(answer.headers.refresh, '5', 'a browser tries again by itself');
  assert.doesNotMatch(answer.text, /Error|at .*\.ts|secret/u);
}
