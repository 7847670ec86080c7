import type { JobKind } from '../../platform/jobs/queue.ts';
import type { SignIn } from './sign-in.ts';

export const resetKind = 'password-reset';

/**
 * Looks for the account of an address that asked for a new password, and mails it a link. The answer was sent before,
 * so its time tells nothing about whether there is such an account.
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
