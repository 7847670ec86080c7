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
