import type { AnswerOf } from '@spaceport/contract/operation';
import type { examineService } from '@spaceport/contract/service-findings';

/** The result of one check: the subject, what was found, and the advice, as in the contract. */
export type Finding = AnswerOf<typeof examineService>['findings'][number];
export type Subject = Finding['about'];

export const fine = (about: Subject, said: string): Finding => ({ about, state: 'ok', said, advice: null });
export const odd = (about: Subject, said: string, advice: string): Finding => ({
  about,
  state: 'warning',
  said,
  advice,
});
export const wrong = (about: Subject, said: string, advice: string): Finding => ({
  about,
  state: 'wrong',
  said,
  advice,
});
export const unseen = (about: Subject, said: string): Finding => ({
  about,
  state: 'not_looked_at',
  said,
  advice: null,
});

/** Returns the reason of an error in one line: its message, or its code if it has none. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several attempts, the last one's error is used.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors.at(-1));
  const cause = error.cause instanceof Error && error.message === '' ? error.cause : error;
  return (cause.message || ('code' in cause ? String(cause.code) : cause.name)).split('\n', 1)[0] ?? '';
}
