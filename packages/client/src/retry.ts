import { ApiError, ConnectionError } from './api-error.ts';

export interface RetryPolicy {
  /** Number of tries of a call in all. */
  attempts: number;
  /** The back-off is a random wait between 0 and `baseMs · 2^(tries so far − 1)`, at most `maxMs`. */
  baseMs: number;
  maxMs: number;
  /** A longer Retry-After is not waited for: the error goes to the caller, who can say when to come back. */
  maxRetryAfterSeconds: number;
  /** How long a publish that has begun goes on without an answer to its tries. */
  lostLineMs: number;
  /** An upload that was lost after so long is no hiccup: it is told at once that the line is gone. */
  longTryMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseMs: 250,
  maxMs: 8_000,
  maxRetryAfterSeconds: 60,
  lostLineMs: 60_000,
  longTryMs: 5_000,
};

export const noRetries: RetryPolicy = { ...defaultRetryPolicy, attempts: 1, lostLineMs: 0 };

/**
 * Returns the back-off after a try, in ms. It has full jitter, so that clients that failed together do not
 * come back together.
 */
export function backoffMs(tries: number, { baseMs, maxMs }: RetryPolicy, random = Math.random): number {
  return random() * Math.min(maxMs, baseMs * 2 ** (tries - 1));
}

/**
 * Returns how long to wait before the next try, in ms, or null if the error is final. Retry-After is a lower
 * limit of the wait.
 */
export function retryDelayMs(
  error: unknown,
  tries: number,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | null {
  if (tries >= policy.attempts || !isPassing(error)) return null;
  const jitterMs = backoffMs(tries, policy, random);
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (retryAfterSeconds === undefined) return jitterMs;
  return retryAfterSeconds > policy.maxRetryAfterSeconds ? null : retryAfterSeconds * 1_000 + jitterMs;
}

/**
 * Returns whether the same call may succeed later: no answer, too many requests, or the service is
 * unavailable.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  // 408: the request did not arrive completely. 502 and 504: a gateway's answer while the service restarts.
  // checks_busy: the caller's own checks have to end first.
  const passing = [408, 429, 502, 503, 504];
  return error instanceof ApiError && passing.includes(error.status) && error.code !== 'checks_busy';
}

/** Resolves after `ms`. Rejects with the signal's reason if it is aborted before. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Runs `action` until it succeeds or fails for good. `mayRetry` can exclude errors from retries. `onRetry` is told of
 * each failure that is followed by another try, after `delayMs`.
 */
export async function withRetries<T>(
  action: (tries: number) => Promise<T>,
  options: {
    policy: RetryPolicy;
    signal?: AbortSignal | undefined;
    mayRetry?: (error: unknown) => boolean;
    onRetry?: ((error: unknown, tries: number, delayMs: number) => void) | undefined;
  },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await action(tries);
    } catch (error) {
      const delayMs = retryDelayMs(error, tries, options.policy);
      if (delayMs === null || options.signal?.aborted || options.mayRetry?.(error) === false) throw error;
      options.onRetry?.(error, tries, delayMs);
      await sleep(delayMs, options.signal);
    }
  }
}
