import { askUntil } from './ask-until.ts';
import type { RawAnswer } from './raw-http.ts';

/** Returns the status and error code of an answer outside hosting, for assertions. */
export function codeOf(answer: RawAnswer): [status: number, error: string] {
  return [answer.status, answer.json().error];
}

/** Returns the status and error code of an answer of hosting, whose `error` is a sentence. */
export function hostingCodeOf(answer: RawAnswer): [status: number, code: string] {
  return [answer.status, answer.json().code];
}

/**
 * Repeats a request while it is answered 503: on a slow machine the service may be too busy, and has then
 * done nothing.
 */
export function onceFree(ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
  return askUntil(ask, ({ status }) => status !== 503);
}
