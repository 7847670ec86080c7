import type { RawAnswer } from './raw-http.ts';

/** Status and error code of an answer outside hosting: what most assertions compare. */
export function codeOf(answer: RawAnswer): [status: number, error: string] {
  return [answer.status, answer.json().error];
}

/** Asks again for as long as the service is too busy to do it (503), which has done nothing: on a slow machine. */
export async function onceFree(ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}
