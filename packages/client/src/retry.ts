import { ApiError, ConnectionError } from './api-error.ts';

export interface RetryPolicy {
  /** How often a call is tried in all. */
  attempts: number;
  /** The back-off is a random wait between 0 and `baseMs · 2^(tries so far − 1)`, at most `maxMs`. */
  baseMs: number;
  maxMs: number;
  /** A Retry-After over this is not waited for: the error goes to the caller, who can say when to come back. */
  maxRetryAfterSeconds: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseMs: 250,
  maxMs: 8_000,
  maxRetryAfterSeconds: 60,
};

export const noRetries: RetryPolicy = { ...defaultRetryPolicy, attempts: 1 };

/**
 * How long to wait before the next try, in ms, or null when the error is final. Full jitter, so that clients
 * that failed together do not come back together; Retry-After is the least, never the most.
 */
export function retryDelayMs(
  error: unknown,
  tries: number,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | null {
  if (tries >= policy.attempts || !isPassing(error)) return null;
  const jitterMs = random() * Math.min(policy.maxMs, policy.baseMs * 2 ** (tries - 1));
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (retryAfterSeconds === undefined) return jitterMs;
  return retryAfterSeconds > policy.maxRetryAfterSeconds ? null : retryAfterSeconds * 1_000 + jitterMs;
}

/** Whether the same call may well succeed later: no answer, too many requests, or a service that is away. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  // 408 says that the request did not arrive whole; a gateway answers 502 and 504 for a service that restarts; checks_busy
  // waits on the caller's own checks.
  const passing = [408, 429, 502, 503, 504];
  return error instanceof ApiError && passing.includes(error.status) && error.code !== 'checks_busy';
}

/** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
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

/** Runs `action` until it succeeds or fails for good. `mayRetry` narrows what is tried again. */
export async function withRetries<T>(
  action: (tries: number) => Promise<T>,
  options: {
    policy: RetryPolicy;
    signal?: AbortSignal | undefined;
    mayRetry?: (error: unknown) => boolean;
  },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await action(tries);
    } catch (error) {
      const delayMs = retryDelayMs(error, tries, options.policy);
      if (delayMs === null || options.signal?.aborted || options.mayRetry?.(error) === false) throw error;
      await sleep(delayMs, options.signal);
    }
  }
}
