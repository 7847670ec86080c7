import type { ShownForm } from '@spaceport/contract/first-data';
import { type ReactNode, useRef, useState } from 'preact/compat';
import { useOrigin } from '../app/app.tsx';
import { client } from '../data/client.ts';
import { useForm } from '../data/use-form.ts';
import { fieldSentence } from '../ui/field-words.ts';
import { textOf } from '../ui/form-page.tsx';
import { useHandleCheck } from './use-handle-check.ts';

export interface HandleState {
  readonly handle: string;
  readonly setHandle: (handle: string) => void;
  /** The problem of the handle, as a sentence. */
  readonly problem: string | undefined;
  readonly hint: string;
  readonly busy: boolean;
  /** Why choosing the handle failed, if the handle itself is not the reason. */
  readonly failure: ReactNode;
  readonly choose: (form: FormData) => void;
}

/** The state of a handle that is typed: it is looked up while typing. `shown` is the form in the document. */
export function useHandle(onChosen: () => unknown, shown: ShownForm | null = null): HandleState {
  const [handle, setHandle] = useState(shown?.values.handle ?? '');
  // It is chosen once, also if what follows fails and is tried again.
  const isChosen = useRef(false);
  const { above, at, busy, send } = useForm(
    ['handle'],
    async (sent) => {
      if (!isChosen.current) await client.chooseHandle({ body: { handle: textOf(sent, 'handle') } });
      isChosen.current = true;
      await onChosen();
    },
    shown,
  );
  const checked = useHandleCheck(handle);
  const typed = checked?.problem == null ? undefined : fieldSentence('handle', checked.problem);
  const origin = useOrigin();
  return {
    handle,
    setHandle,
    problem: at('handle') ?? typed,
    hint:
      checked?.problem === null
        ? `@${checked.handle} is free. Your page: ${origin}/@${checked.handle}`
        : '3 to 24 of a–z, 0–9 and _, starting with a letter.',
    busy,
    failure: above,
    choose: send,
  };
}
