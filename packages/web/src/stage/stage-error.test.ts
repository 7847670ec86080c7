import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError, notTheServiceCode } from '@spaceport/client/api-error';
import { errorTable } from '@spaceport/contract/errors';
import { isAway, StageError, toCallError } from './stage-error.ts';

const told = (status: number, code: string, details = {}) =>
  toCallError(new ApiError({ status, code, message: 'A sentence.', details }));

test('maps every error of the service to a code of the module', () => {
  const codes = new Set(['offline', 'rate_limited', 'sign_in_required', 'banned', 'not_found', 'invalid']);
  for (const extra of ['conflict', 'too_large', 'full', 'closed']) codes.add(extra);
  for (const [code, { status }] of Object.entries(errorTable))
    assert.ok(codes.has(told(status, code).code), code);
  const some = {
    server_board: 'invalid',
    banned: 'banned',
    run_used: 'closed',
    no_handle: 'sign_in_required',
  } as const;
  for (const [code, wanted] of Object.entries(some))
    assert.equal(told(errorTable[code as keyof typeof some].status, code).code, wanted, code);
  assert.equal(told(404, 'not_found').code, 'not_found');
  assert.equal(told(503, 'busy').code, 'offline');
});

test('passes on issues and the time to wait, but no details of an error in the page', () => {
  const issues = [{ path: 'score', message: 'must be a number' }, { path: 3 }, null];
  assert.deepEqual(told(400, 'invalid', { issues }).issues, [{ path: 'score', message: 'must be a number' }]);
  const limited = new ApiError({ status: 429, code: 'rate_limited', message: 'Wait.', retryAfterSeconds: 7 });
  assert.deepEqual(toCallError(limited), { code: 'rate_limited', message: 'Wait.', retryAfter: 7 });
  assert.deepEqual(toCallError(new StageError('full', 'Full.')), { code: 'full', message: 'Full.' });
  assert.equal(toCallError(new TypeError('secret of ours')).message.includes('secret'), false);
});

test('tells a service that cannot be reached from one that refuses', () => {
  assert.equal(isAway(new ConnectionError('http://x', new Error('refused'))), true);
  assert.equal(isAway(new ApiError({ status: 503, code: 'busy', message: '' })), true);
  assert.equal(isAway(new ApiError({ status: 409, code: 'space_unavailable', message: '' })), true);
  assert.equal(isAway(new ApiError({ status: 403, code: 'banned', message: '' })), false);
  assert.equal(isAway(new TypeError('x')), false);
});

test('takes a proxy’s page for no answer of the service', () => {
  for (const status of [200, 403, 404]) {
    const answered = new ApiError({ status, code: notTheServiceCode, message: 'Not ours.' });
    assert.deepEqual([isAway(answered), toCallError(answered).code], [true, 'offline'], String(status));
  }
  // No proxy will take it later.
  const tooLarge = new ApiError({ status: 413, code: notTheServiceCode, message: 'Too large.' });
  assert.deepEqual([isAway(tooLarge), toCallError(tooLarge).code], [false, 'too_large']);
});
