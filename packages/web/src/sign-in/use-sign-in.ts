import { ApiError } from '@spaceport/client/api-error';
import type { ShownForm } from '@spaceport/contract/first-data';
import { type ReactNode, useState } from 'preact/compat';
import { client } from '../data/client.ts';
import { requireCookies } from '../data/require-cookies.ts';
import { type Form, useForm } from '../data/use-form.ts';
import { textOf } from '../ui/form-page.tsx';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';

export interface SignInState extends Pick<Form, 'at' | 'busy' | 'send' | 'typed'> {
  /** Why signing in failed, by password or by passkey. */
  readonly failure: ReactNode;
  readonly passkey: Pick<ReturnType<typeof usePasskeySignIn>, 'busy' | 'press'>;
}

/** The state of a sign-in form. `onDone` is called after success. `shown` is the form in the document. */
export function useSignIn(onDone: () => unknown, shown: ShownForm | null = null): SignInState {
  const [wrong, setWrong] = useState<string | null>(null);
  const passkey = usePasskeySignIn(onDone);
  const { above, ...form } = useForm(
    ['email', 'password'],
    async (sent) => {
      setWrong(null);
      passkey.forget();
      requireCookies();
      try {
        await client.signIn({ body: { email: textOf(sent, 'email'), password: textOf(sent, 'password') } });
      } catch (error) {
        // Here `unauthorized` means that the address or the password is wrong.
        if (!(error instanceof ApiError && error.code === 'unauthorized')) throw error;
        return setWrong(error.message);
      }
      await onDone();
    },
    shown,
  );
  return { ...form, failure: passkey.failure ?? wrong ?? above, passkey };
}
