import { leaveTo } from '../../app/leave.ts';
import type { PageProps } from '../../app/pages.ts';
import { SignInFields } from '../../sign-in/sign-in-fields.tsx';
import { useSignIn } from '../../sign-in/use-sign-in.ts';
import { FormCard, FormPage } from '../../ui/form-page.tsx';
import { Notice } from '../../ui/surfaces.tsx';

/** /sign-in: signs in with a password or a passkey, then leads to the page that the person came for. */
export default function SignInPage({ data: { next, form, passwordIsNew } }: PageProps<'sign-in'>) {
  const signIn = useSignIn(() => leaveTo(next), form);
  const query = new URLSearchParams({ next });
  return (
    <FormPage
      title="Sign in"
      before={
        passwordIsNew && <Notice tone="good">Your password is changed. Sign in with the new one.</Notice>
      }
      below={[
        <a key="reset" href={`/reset?${query}`}>
          Forgot your password?
        </a>,
        <span key="sign-up">
          New here? <a href={`/sign-up?${query}`}>Make an account</a>
        </span>,
      ]}
    >
      <FormCard action="/sign-in" failure={signIn.failure} onSend={signIn.send}>
        <input type="hidden" name="next" value={next} />
        <SignInFields {...signIn} />
      </FormCard>
    </FormPage>
  );
}
