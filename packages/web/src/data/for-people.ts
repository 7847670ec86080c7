import type { RetryPolicy } from '@spaceport/client/retry';

/** Nobody is told what a call waits for, so a longer wait is an error, which says when to try again. */
export const forPeople: Partial<RetryPolicy> = { maxRetryAfterSeconds: 5 };
