import type { RawAnswer } from './raw-http.ts';

/** Status and error code of an answer outside hosting: what most assertions compare. */
export function codeOf(answer: RawAnswer): [status: number, error: string] {
  return [answer.status, answer.json().error];
}
