import { useCanUsePasskeys } from '../data/passkeys.ts';
import { Button } from '../ui/button.tsx';
import { EmailField } from '../ui/email-field.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import type { SignInState } from './use-sign-in.ts';

/** The fields and buttons of a sign-in form. */
export function SignInFields({ at, busy, typed, passkey }: SignInState) {
  const hasPasskeys = useCanUsePasskeys();
  return (
    <>
      <EmailField autoComplete="username webauthn" defaultValue={typed('email')} problem={at('email')} />
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
