import type { RawAnswer } from './raw-http.ts';

/** Returns the status and error code of an answer outside hosting, for assertions. */
export function codeOf(answer: RawAnswer): [status: number, error: string] {
  return [answer.status, answer.json().error];
}

/**
 * Repeats a request while it is answered 503: on a slow machine the service may be too busy, and has then
 * done nothing.
 */
export async function onceFree(ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}
