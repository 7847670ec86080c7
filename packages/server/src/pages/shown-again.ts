import { errorTable } from '@spaceport/contract/errors';
import { ServiceError } from '../platform/errors.ts';
import { type FormState, refusedForm } from './forms.ts';
import type { PageAnswer, PageDocument } from './page-scope.ts';

/**
 * Does what a form asks for; where that is refused, the form is shown again with what was typed and what was wrong,
 * under the refusal's own status. Faults are not refusals.
 */
export async function shownAgain(
  work: () => Promise<PageAnswer>,
  { values, fields }: { values: Readonly<Record<string, string>>; fields: readonly string[] },
  show: (form: FormState) => PageDocument,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status } = errorTable[error.code];
    if (status >= 500) throw error;
    const { retryAfterSeconds } = error.details;
    return {
      ...show(refusedForm(values, error, fields)),
      status,
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    };
  }
}
