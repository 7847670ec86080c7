import { leaveTo } from '../../app/leave.ts';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';

/** /reset/new: the target of the link in the mail. */
export default function NewPasswordPage({ data: { token, form } }: PageProps<'new-password'>) {
  const { above, at, busy, send } = useForm(
    ['password'],
    async (sent) => {
      await client.resetPassword({ body: { token, password: textOf(sent, 'password') } });
      await leaveTo('/sign-in?done=reset');
    },
    form,
  );
  return (
    <FormPage
      title="Choose a new password"
      below={[
        <a key="again" href="/reset">
          Ask for another link
        </a>,
      ]}
    >
      <FormCard action="/reset/new" failure={above} onSend={send}>
        <input type="hidden" name="token" value={token} />
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
