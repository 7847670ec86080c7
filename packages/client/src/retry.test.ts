import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError, parseRetryAfter, readApiError } from './api-error.ts';
import { meaningOf } from './error-meanings.ts';
import { defaultRetryPolicy as policy, retryDelayMs } from './retry.ts';

const busy = (retryAfterSeconds?: number, code = 'rate_limited') =>
  new ApiError({ status: 429, code, message: 'Later.', retryAfterSeconds });
const half = () => 0.5;

test('the wait is a random part of a bounded, doubling time', () => {
  const error = new ConnectionError('http://a.test', new Error('gone'));
  assert.equal(retryDelayMs(error, 1, policy, half), 125);
  assert.equal(retryDelayMs(error, 2, policy, half), 250);
  const patient = { ...policy, attempts: 99 };
  assert.equal(retryDelayMs(error, 40, patient, half), 4_000);
  assert.equal(retryDelayMs(error, policy.attempts, policy, half), null);
});

test('a wait is never shorter than Retry-After, and an hour is left to the caller', () => {
  assert.equal(retryDelayMs(busy(3), 1, policy, half), 3_125);
  assert.equal(retryDelayMs(busy(3_600), 1, policy, half), null);
});

test('408, 502, 503 and 504 are retried', () => {
  for (const status of [408, 502, 503, 504])
    assert.equal(retryDelayMs(new ApiError({ status, code: 'failed', message: '' }), 1, policy, half), 125);
});

test('refusals, server errors, busy checks and bugs are not retried', () => {
  assert.equal(retryDelayMs(new ApiError({ status: 422, code: 'invalid', message: '' }), 1, policy), null);
  assert.equal(
    retryDelayMs(new ApiError({ status: 500, code: 'server_error', message: '' }), 1, policy),
    null,
  );
  assert.equal(retryDelayMs(busy(1, 'checks_busy'), 1, policy), null);
  assert.equal(retryDelayMs(new TypeError('a bug'), 1, policy), null);
});

test('Retry-After is read as seconds and as a date', () => {
  const date = () => 'Sat, 31 Jan 2026 12:00:00 GMT';
  assert.equal(parseRetryAfter('7'), 7);
  assert.equal(parseRetryAfter('Sat, 31 Jan 2026 12:00:09 GMT', date), 9);
  assert.equal(parseRetryAfter('Sat, 31 Jan 2026 11:00:00 GMT', date), 0);
  assert.equal(parseRetryAfter(null), undefined);
  assert.equal(parseRetryAfter('soon'), undefined);
  // Without a Date the clock of this machine counts.
  assert.ok(Number(parseRetryAfter(new Date(Date.now() + 3_600_000).toUTCString())) > 3_000);
});

function answer(status: number, text: string) {
  const headers: Record<string, string> = { 'x-request-id': 'r1', 'retry-after': '2' };
  return readApiError({ status, text, header: (name) => headers[name] ?? null }, meaningOf);
}

test('reads the errors of the API and of hosting', () => {
  const plain = answer(409, JSON.stringify({ error: 'unverified', message: 'No tag.', snippet: '<meta>' }));
  assert.deepEqual(
    [plain.status, plain.code, plain.message, plain.details, plain.requestId, plain.retryAfterSeconds],
    [409, 'unverified', 'No tag.', { snippet: '<meta>' }, 'r1', 2],
  );
  const hosting = answer(
    409,
    JSON.stringify({ error: 'Two are missing.', code: 'missing_uploads', paths: ['a'] }),
  );
  assert.deepEqual(
    [hosting.code, hosting.message, hosting.details],
    ['missing_uploads', 'Two are missing.', { paths: ['a'] }],
  );
});

test('an error without a message gets the meaning of its code and its first issue', () => {
  const issues = [{ path: 'boards.0.sort', message: 'must be asc or desc' }];
  assert.match(
    answer(422, JSON.stringify({ error: 'invalid', issues })).message,
    /boards\.0\.sort: must be asc/u,
  );
});

test('an answer that is not from the service gets the code not_the_service', () => {
  for (const text of ['<html>Bad Gateway</html>', '', '[]', '{"oops":1}']) {
    assert.equal(answer(502, text).code, 'not_the_service');
  }
});
