import type { JobKind } from '../../platform/jobs/queue.ts';
import type { SignIn } from './sign-in.ts';

export const resetKind = 'password-reset';

/**
 * Creates the job that looks for the account of a reset request, and mails it a link. The request is answered
 * before, so the time of the answer does not reveal whether there is such an account.
 */
export function createResetJob(signIn: Pick<SignIn, 'sendResetLink'>): JobKind {
  return {
    kind: resetKind,
    timeoutSeconds: 30,
    maxAttempts: 10,
    concurrency: 2,
    run: ({ ref: email }) => signIn.sendResetLink(email),
  };
}
