import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from '@spaceport/client/retry';
import { type RawAnswer, type RawRequest, rawRequest } from '../raw-http.ts';

/** As long as a schedule takes to be well again, on a machine that is busy with others. */
const patienceMs = 90_000;
const pauseMs = 50;

/** What callers of our client do: try again what was not answered, or answered with "later", until it is. */
export const patientRetry = { attempts: 300, baseMs: 20, maxMs: 300 } as const;

/** Does it until it is answered. What was not answered may have been done, and is done again. */
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

/** Asks until there is an answer other than "later". */
export async function get(port: number, url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const answer = await rawRequest(port, url, options).catch(() => null);
    if (answer !== null && answer.status !== 503) return answer;
    if (performance.now() > until) throw new Error(`${url} was not answered`);
    await pause(pauseMs);
  }
}

/** Looks again and again until it is so; fails with the last difference when it never comes to be. */
export async function eventually(difference: () => Promise<string | null>): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const found = await difference();
    if (found === null) return;
    if (performance.now() > until) throw new Error(found);
    await pause(pauseMs);
  }
}
