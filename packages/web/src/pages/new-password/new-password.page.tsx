import { leaveTo } from '../../app/leave.ts';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { refusalOf } from '../../ui/refusal.tsx';

/** /reset/new: where the link in the mail leads. */
export default function NewPasswordPage({ data: { token } }: PageProps<'new-password'>) {
  const { run, busy, failure } = useAction(async (form: FormData) => {
    await client.resetPassword({ body: { token, password: textOf(form, 'password') } });
    await leaveTo('/sign-in?done=reset');
  });
  const { above, at } = refusalOf(failure, ['password']);
  return (
    <FormPage
      title="Choose a new password"
      below={[
        <a key="again" href="/reset">
          Ask for another link
        </a>,
      ]}
    >
      <FormCard action="/reset/new" failure={above} onSend={run}>
        <NewPasswordField
          label="New password"
          advice="Every browser that is signed in will be signed out."
          problem={at('password')}
        />
        <Button type="submit" whole busy={busy}>
          Change the password
        </Button>
      </FormCard>
    </FormPage>
  );
}
