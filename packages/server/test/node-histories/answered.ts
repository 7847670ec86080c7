import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from '@spaceport/client/retry';
import { type RawAnswer, type RawRequest, rawRequest } from '../raw-http.ts';

/** Longest time for the nodes to recover, on a busy machine. */
const patienceMs = 90_000;
const pauseMs = 50;

/** The retries of a patient client: it repeats a call without an answer, or with a temporary refusal. */
export const patientRetry = { attempts: 300, baseMs: 20, maxMs: 300 } as const;

/**
 * Repeats an action until it is answered. An action without an answer may have been executed, and is
 * repeated.
 */
export async function untilAnswered<Answer>(does: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await does();
    } catch (error) {
      if (!isPassing(error) || performance.now() > until) throw error;
      await pause(pauseMs);
    }
  }
}

/** Repeats a read until its answer is not a temporary refusal. */
export async function get(port: number, url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const answer = await rawRequest(port, url, options).catch(() => null);
    if (answer !== null && answer.status !== 503) return answer;
    if (performance.now() > until) throw new Error(`${url} was not answered`);
    await pause(pauseMs);
  }
}

/** Repeats a check until there is no difference; fails with the last difference after the time limit. */
export async function eventually(difference: () => Promise<string | null>): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const found = await difference();
    if (found === null) return;
    if (performance.now() > until) throw new Error(found);
    await pause(pauseMs);
  }
}
