import { ApiError } from '@spaceport/client/api-error';
import { useState } from 'react';
import { leaveTo } from '../../app/leave.ts';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useCanUsePasskeys } from '../../data/passkeys.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';

/** /sign-in: with a password or a passkey, then to where somebody was going. */
export default function SignInPage({ data: { next, form, passwordIsNew } }: PageProps<'sign-in'>) {
  const [wrong, setWrong] = useState<string | null>(null);
  const hasPasskeys = useCanUsePasskeys();
  const passkey = usePasskeySignIn(next);
  const { above, at, busy, send, typed } = useForm(
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
      await leaveTo(next);
    },
    form,
  );
  return (
    <FormPage
      title="Sign in"
      before={
        passwordIsNew && <Notice tone="good">Your password is changed. Sign in with the new one.</Notice>
      }
      below={[
        <a key="reset" href="/reset">
          Forgot your password?
        </a>,
        <span key="sign-up">
          New here? <a href={`/sign-up?${new URLSearchParams({ next })}`}>Make an account</a>
        </span>,
      ]}
    >
      <FormCard action="/sign-in" failure={passkey.failure ?? wrong ?? above} onSend={send}>
        <input type="hidden" name="next" value={next} />
        <Field
          label="E-mail address"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={typed('email')}
          problem={at('email')}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          problem={at('password')}
        />
        <Button type="submit" whole busy={busy}>
          Sign in
        </Button>
        {hasPasskeys && (
          <div className="sign-in-other script-only">
            <p className="or">or</p>
            <Button variant="plain" whole icon="key" busy={passkey.busy} onClick={passkey.press}>
              Sign in with a passkey
            </Button>
          </div>
        )}
      </FormCard>
    </FormPage>
  );
}
