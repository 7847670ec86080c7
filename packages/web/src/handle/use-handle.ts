import { useState } from 'react';
import { carriedValue } from '../app/carry-over.ts';
import { client } from '../data/client.ts';
import { useAction } from '../data/use-action.ts';
import { fieldSentence } from '../ui/field-words.ts';
import { useChecked } from './use-checked.ts';

export interface HandleState {
  readonly handle: string;
  readonly setHandle: (handle: string) => void;
  /** What is wrong with it, as a sentence. */
  readonly problem: string | undefined;
  readonly hint: string;
  readonly busy: boolean;
  /** Why it could not be taken, where that is not about the handle itself. */
  readonly failure: string | null;
  readonly choose: () => void;
}

/** A handle as it is typed: looked up while typing, taken once. */
export function useHandle(onChosen: () => void): HandleState {
  const [handle, setHandle] = useState(() => carriedValue('handle'));
  const { run, busy, failure } = useAction(async () => {
    await client.chooseHandle({ body: { handle } });
    onChosen();
  });
  const checked = useChecked(handle);
  const refused = failure?.problems.handle;
  const typed = checked?.problem == null ? undefined : fieldSentence('handle', checked.problem);
  const problem = refused ?? typed;
  return {
    handle,
    setHandle,
    problem,
    hint: hintOf(checked),
    busy,
    failure: failure && refused === undefined ? failure.text : null,
    choose: run,
  };
}

function hintOf(checked: ReturnType<typeof useChecked>): string {
  if (checked?.problem === null)
    return `@${checked.handle} is free. Your page: ${location.origin}/@${checked.handle}`;
  return '3 to 24 of a–z, 0–9 and _, starting with a letter.';
}
