import type { AnswerOf } from '@spaceport/contract/operation';
import type { examineService } from '@spaceport/contract/service-findings';

/** What was looked at, what was found, and what would mend it: as the contract has it. */
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

/** What an error says, in one line: its code where it has one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several tries the last is as good as any.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors.at(-1));
  const cause = error.cause instanceof Error && error.message === '' ? error.cause : error;
  return (cause.message || ('code' in cause ? String(cause.code) : cause.name)).split('\n', 1)[0] ?? '';
}
