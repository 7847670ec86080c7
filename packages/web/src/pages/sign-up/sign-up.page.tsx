import { leaveTo } from '../../app/leave.ts';
import type { PageProps } from '../../app/pages.ts';
import { SignUpFields, useSignUp } from '../../sign-in/sign-up-fields.tsx';
import { FormCard, FormPage } from '../../ui/form-page.tsx';

/** /sign-up: makes an account; the next page asks for its handle. */
export default function SignUpPage({ data: { next, form } }: PageProps<'sign-up'>) {
  const query = new URLSearchParams({ next });
  const signUp = useSignUp(() => leaveTo(`/handle?${query}`), form);
  return (
    <FormPage
      title="Make an account"
      below={[
        <span key="sign-in">
          Have one already? <a href={`/sign-in?${query}`}>Sign in</a>
        </span>,
      ]}
    >
      <FormCard action="/sign-up" failure={signUp.above} onSend={signUp.send}>
        <input type="hidden" name="next" value={next} />
        <SignUpFields {...signUp} />
      </FormCard>
    </FormPage>
  );
}
