import { useCanUsePasskeys } from '../data/passkeys.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import type { SignInState } from './use-sign-in.ts';

/** The fields and buttons of a sign-in form. */
export function SignInFields({ at, busy, typed, passkey }: SignInState) {
  const hasPasskeys = useCanUsePasskeys();
  return (
    <>
      <Field
        label="E-mail address"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellcheck={false}
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
    </>
  );
}
