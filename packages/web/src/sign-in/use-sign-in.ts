import { ApiError } from '@spaceport/client/api-error';
import type { ShownForm } from '@spaceport/contract/first-data';
import { type ReactNode, useState } from 'react';
import { client } from '../data/client.ts';
import { type Form, useForm } from '../data/use-form.ts';
import { textOf } from '../ui/form-page.tsx';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';

export interface SignInState extends Pick<Form, 'at' | 'busy' | 'send' | 'typed'> {
  /** Why nobody was signed in, by password or by passkey. */
  readonly failure: ReactNode;
  readonly passkey: Pick<ReturnType<typeof usePasskeySignIn>, 'busy' | 'press'>;
}

/** Signing in with a password or a passkey, then `onDone`. `shown` is the form as the document brought it along. */
export function useSignIn(onDone: () => unknown, shown: ShownForm | null = null): SignInState {
  const [wrong, setWrong] = useState<string | null>(null);
  const passkey = usePasskeySignIn(onDone);
  const { above, ...form } = useForm(
    ['email', 'password'],
    async (sent) => {
      setWrong(null);
      passkey.forget();
      try {
        await client.signIn({ body: { email: textOf(sent, 'email'), password: textOf(sent, 'password') } });
      } catch (error) {
        // Nobody was signed in: here it says which of what was typed is wrong.
        if (!(error instanceof ApiError && error.code === 'unauthorized')) throw error;
        return setWrong(error.message);
      }
      await onDone();
    },
    shown,
  );
  return { ...form, failure: passkey.failure ?? wrong ?? above, passkey };
}
