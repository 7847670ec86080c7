import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError } from '@spaceport/client/api-error';
import { defaultRetryPolicy } from '@spaceport/client/retry';
import { approvalOf } from './device-login.ts';

const asked = { device_code: 'code', interval: 0 };
const { signal } = new AbortController();
const notes: string[] = [];
const output = { note: (text: string) => notes.push(text) };
const refusal = (status: number, code: string) => new ApiError({ status, code, message: code });
const noAnswer = () => new ConnectionError('service.example', new Error('reset'));

/** A service that answers each poll with the next of these errors, and then with the token. */
function service(errors: readonly Error[], lostLineMs = defaultRetryPolicy.lostLineMs) {
  const left = [...errors];
  return {
    retry: { ...defaultRetryPolicy, lostLineMs },
    async exchangeLogin() {
      const error = left.shift();
      if (error) throw error;
      return { access_token: 'sp_token' } as never;
    },
  };
}

test('a sign-in goes on after a lost line and a restart of the service', async () => {
  const pending = refusal(400, 'authorization_pending');
  const away = [pending, noAnswer(), refusal(503, 'unavailable'), pending, noAnswer()];
  assert.equal(await approvalOf(service(away), asked, signal, output), 'sp_token');
  // Each time that the service is away is told once.
  assert.deepEqual(notes, [
    'No answer from service.example: reset. It is asked again for a minute…',
    'No answer from service.example: reset. It is asked again for a minute…',
  ]);
});

test('a sign-in ends when the line stays lost, and when it is refused', async () => {
  await assert.rejects(approvalOf(service([noAnswer()], 0), asked, signal, output), ConnectionError);
  await assert.rejects(approvalOf(service([refusal(400, 'access_denied')]), asked, signal, output), {
    code: 'access_denied',
  });
});
