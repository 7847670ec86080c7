import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, ConnectionError } from '@spaceport/client/api-error';
import { describeError } from './describe-error.ts';

const limited = (message: string, retryAfterSeconds?: number) =>
  describeError(new ApiError({ status: 429, code: 'rate_limited', message, retryAfterSeconds })).text;

describe('the description of an error for a person', () => {
  it('names the time to wait once, as exactly as it is known', () => {
    assert.equal(
      limited('Too many wrong codes. Try again in 15 minutes.', 900),
      'Too many wrong codes. Try again in 15 minutes.',
    );
    assert.equal(
      limited('More than 60 versions were created in an hour; try again later.', 45),
      'More than 60 versions were created in an hour. Try again in 45 seconds.',
    );
    for (const [seconds, words] of [
      [1, 'one second'],
      [0.4, 'one second'],
      [89, '89 seconds'],
      [90, '2 minutes'],
      [5_399, '90 minutes'],
      [5_400, '2 hours'],
    ] as const)
      assert.equal(limited('Too many reports.', seconds), `Too many reports. Try again in ${words}.`);
    assert.equal(limited('Too many reports.', 7_200), 'Too many reports. Try again in 2 hours.');
    assert.equal(limited('Too many reports; try again later.'), 'Too many reports; try again later.');
    assert.equal(limited('Too many reports.'), 'Too many reports. Try again in a while.');
  });

  it('has the first problem of each field', () => {
    const issues = [
      { path: 'email', message: 'is taken' },
      { path: 'email', message: 'is long' },
      { path: 7, message: 'is not one of ours' },
    ];
    const { problems, text } = describeError(
      new ApiError({ status: 422, code: 'invalid', message: 'The email is taken.', details: { issues } }),
    );
    assert.deepEqual(
      { problems, text },
      { problems: { email: 'It is taken.' }, text: 'The email is taken.' },
    );
  });

  it('names fields in the words of a form', () => {
    const issues = [{ path: 'boards.0.key', message: 'must start with a-z and have 40 at most; it is «A»' }];
    const message = '«boards.0.key» must start with a-z and have 40 at most; it is «A».';
    const { text } = describeError(
      new ApiError({ status: 422, code: 'invalid', message, details: { issues } }),
    );
    assert.match(text, /^Key of board 1: Start with a small letter from a to z;/u);
  });

  it('names three problems of fields, and counts the others', () => {
    const textOf = (count: number) => {
      const issues = Array.from({ length: count }, (_, index) => ({
        path: `boards.${index}.key`,
        message: 'is taken',
      }));
      const message = '«boards.0.key» is taken.';
      return describeError(new ApiError({ status: 422, code: 'invalid', message, details: { issues } })).text;
    };
    assert.match(textOf(3), /board 3[^.]*\.$/u);
    assert.match(textOf(5), /board 3[^.]*\. And 2 more\.$/u);
  });

  it('has the next step only when it is a page', () => {
    const next = (step: string) =>
      describeError(new ApiError({ status: 403, code: 'no_handle', message: 'No.', details: { next: step } }))
        .next;
    const page = 'Pick a handle at https://games.example/handle, then try again.';
    assert.equal(next(page), page);
    assert.equal(next('POST https://games.example/api/agent/login starts a sign-in.'), undefined);
  });

  it('says whether trying again or signing in may help', () => {
    const of = (status: number, code: string) => {
      const { mayRetry, signIn } = describeError(new ApiError({ status, code, message: 'No.' }));
      return { mayRetry, signIn };
    };
    assert.deepEqual(of(401, 'unauthorized'), { mayRetry: true, signIn: true });
    assert.deepEqual(of(409, 'conflict'), { mayRetry: false, signIn: false });
    assert.deepEqual(of(503, 'failed'), { mayRetry: true, signIn: false });
    const text = (status: number) =>
      describeError(new ApiError({ status, code: 'failed', message: '' })).text;
    assert.deepEqual([text(502), text(504)], [text(503), text(503)]);
    assert.notEqual(text(503), text(500));
    assert.match(describeError(new ConnectionError('x', null)).text, /whether you are online/u);
    assert.match(describeError(new Error('x')).text, /on this page/u);
  });
});
