import { errorTable, type Issue } from '@spaceport/contract/errors';
import type { ShownForm } from '@spaceport/contract/first-data';
import { ServiceError } from '../platform/errors.ts';
import type { PageAnswer, PageDocument } from './page-scope.ts';

export const emptyForm: ShownForm = { values: {}, problems: {}, problem: null };

/**
 * Does what a form asks for. If that is refused, the form is shown again with what was typed and what was wrong, under
 * the refusal's own status. Faults are not refusals.
 */
export async function shownAgain(
  work: () => Promise<PageAnswer>,
  { values, fields }: { values: Readonly<Record<string, string>>; fields: readonly string[] },
  show: (form: ShownForm) => PageDocument,
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

/** A form after a refusal. A problem with one of its fields stands beside that field, any other above the form. */
function refusedForm(
  values: Readonly<Record<string, string>>,
  { message, details }: ServiceError,
  fields: readonly string[],
): ShownForm {
  const issues: readonly Issue[] = details.issues ?? [];
  const own = issues.filter(({ path }) => fields.includes(path));
  const problems = Object.fromEntries(own.map((issue) => [issue.path, issue.message]));
  return { values, problems, problem: own.length > 0 ? null : message };
}
