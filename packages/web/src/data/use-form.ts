import type { ShownForm } from '@spaceport/contract/first-data';
import { WrongFields } from '../ui/describe-error.ts';
import { fieldSentence } from '../ui/field-words.ts';
import { textOf } from '../ui/form-page.tsx';
import { type Refusal, refusalOf } from '../ui/refusal.tsx';
import { useAction } from './use-action.ts';
import { useFocusOnProblem } from './use-focus-on-problem.ts';

/** A form that script sends, or the browser if no script runs. */
export interface Form extends Refusal {
  readonly send: (form: FormData) => void;
  readonly busy: boolean;
  /** Why it was refused. */
  readonly error: unknown;
  /** Returns a field's first value: the typed value, if the document shows the form again. */
  readonly typed: (field: string) => string;
}

/** A field that validates its own value. */
export interface CheckedField {
  readonly name: string;
  /** Returns what to enter, as a sentence, or undefined if the value is valid. `typed` is trimmed. */
  readonly check?: ((typed: string, form: FormData) => string | undefined) | undefined;
}

/**
 * @param fields the form's fields: a problem of a field is shown beside it, any other above the form
 * @param work called only if all fields are valid
 * @param shown the form as the document has it
 */
export function useForm(
  fields: readonly (string | CheckedField)[],
  work: (form: FormData) => Promise<unknown>,
  shown: ShownForm | null = null,
): Form {
  const { run, busy, error, failure, isFirst } = useAction(async (form: FormData) => {
    const problems = problemsIn(form, fields);
    if (Object.keys(problems).length > 0) throw new WrongFields(problems);
    await work(form);
  });
  const noteSender = useFocusOnProblem(error);
  const refused = isFirst ? refusedAtFirst(shown) : failure;
  return {
    ...refusalOf(
      refused,
      fields.map((field) => (typeof field === 'string' ? field : field.name)),
    ),
    send(form) {
      noteSender();
      run(form);
    },
    busy,
    error,
    typed: (field) => shown?.values[field] ?? '',
  };
}

function problemsIn(form: FormData, fields: readonly (string | CheckedField)[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (typeof field === 'string') return [];
      const problem = field.check?.(textOf(form, field.name).trim(), form);
      return problem === undefined ? [] : [[field.name, problem]];
    }),
  );
}

function refusedAtFirst(shown: ShownForm | null) {
  if (shown === null || (shown.problem === null && Object.keys(shown.problems).length === 0)) return null;
  const { problem } = shown;
  const problems = Object.fromEntries(
    Object.entries(shown.problems).map(([field, said]) => [field, fieldSentence(field, said)]),
  );
  return {
    text: problem ?? '',
    problems,
    next: undefined,
    mayRetry: false,
    signIn: false,
    requestId: undefined,
  };
}
