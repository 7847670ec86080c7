import type { ShownForm } from '@spaceport/contract/first-data';
import { WrongFields } from '../ui/describe-error.ts';
import { fieldSentence } from '../ui/field-words.ts';
import { textOf } from '../ui/form-page.tsx';
import { type Refusal, refusalOf } from '../ui/refusal.tsx';
import { useAction } from './use-action.ts';

/** A form that script sends, and that the browser sends where none runs. */
export interface Form extends Refusal {
  readonly send: (form: FormData) => void;
  readonly busy: boolean;
  /** Why it was refused. */
  readonly error: unknown;
  /** What a field begins with: what was typed, where the document shows the form again. */
  readonly typed: (field: string) => string;
}

/** A field that says itself what may stand in it. */
export interface CheckedField {
  readonly name: string;
  /** Returns what to enter, as a sentence; undefined if it may be sent. `typed` has no space around it. */
  readonly check?: ((typed: string, form: FormData) => string | undefined) | undefined;
}

/**
 * @param fields those that the form has: what is wrong with one stands beside it, anything else above the form
 * @param work is not called while a field finds something wrong
 * @param shown as the document brought it along
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
  const refused = isFirst ? refusedAtFirst(shown) : failure;
  return {
    ...refusalOf(
      refused,
      fields.map((field) => (typeof field === 'string' ? field : field.name)),
    ),
    send: run,
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
