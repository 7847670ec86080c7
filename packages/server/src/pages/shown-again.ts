import { errorTable, type Issue } from '@spaceport/contract/errors';
import type { ShownForm } from '@spaceport/contract/first-data';
import { ServiceError } from '../platform/errors.ts';
import type { PageAnswer, PageDocument } from './page-scope.ts';

export const emptyForm: ShownForm = { values: {}, problems: {}, problem: null };

/**
 * Runs a form's work. If it is refused, the form is shown again with the typed values and the problems, under
 * the refusal's status. Internal errors are thrown.
 */
export async function shownAgain(
  work: () => Promise<PageAnswer>,
  { values, fields }: { values: Readonly<Record<string, string>>; fields: readonly string[] },
  show: (form: ShownForm) => PageDocument | Promise<PageDocument>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status } = errorTable[error.code];
    if (status >= 500) throw error;
    const { retryAfterSeconds } = error.details;
    return {
      ...(await show(refusedForm(values, error, fields))),
      status,
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    };
  }
}

/** Returns a form after a refusal. A field's problem is shown beside the field, any other above the form. */
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
