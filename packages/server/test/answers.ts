import { askUntil } from './ask-until.ts';
import type { RawAnswer } from './raw-http.ts';

/** Returns the status and error code of an answer outside hosting, for assertions. */
export function codeOf(answer: RawAnswer): [status: number, error: string] {
  return [answer.status, answer.json().error];
}

/**
 * Repeats a request while it is answered 503: on a slow machine the service may be too busy, and has then
 * done nothing.
 */
export function onceFree(ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
  return askUntil(ask, ({ status }) => status !== 503);
}
