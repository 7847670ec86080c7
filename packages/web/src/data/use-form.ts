import type { ShownForm } from '@spaceport/contract/first-data';
import { fieldSentence } from '../ui/field-words.ts';
import { type Refusal, refusalOf } from '../ui/refusal.tsx';
import { useAction } from './use-action.ts';

/** A form that script sends, and that the browser sends where none runs. */
export interface Form extends Refusal {
  readonly send: (form: FormData) => void;
  readonly busy: boolean;
  /** What a field begins with: what was typed, where the document shows the form again. */
  readonly typed: (field: string) => string;
}

/**
 * @param fields those that the form has: what is wrong with one stands beside it, anything else above the form
 * @param shown as the document brought it along
 */
export function useForm(
  fields: readonly string[],
  work: (form: FormData) => Promise<unknown>,
  shown: ShownForm | null = null,
): Form {
  const { run, busy, failure, isFirst } = useAction(work);
  const refused = isFirst ? refusedAtFirst(shown) : failure;
  return {
    ...refusalOf(refused, fields),
    send: run,
    busy,
    typed: (field) => shown?.values[field] ?? '',
  };
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
