import { leaveTo } from '../../app/leave.ts';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';

/** /sign-up: makes an account; the next page asks for its handle. */
export default function SignUpPage({ data: { next, form } }: PageProps<'sign-up'>) {
  const query = new URLSearchParams({ next });
  const { above, at, busy, send, typed } = useForm(
    ['name', 'email', 'password'],
    async (sent) => {
      const body = {
        name: textOf(sent, 'name'),
        email: textOf(sent, 'email'),
        password: textOf(sent, 'password'),
      };
      await client.signUp({ body });
      await leaveTo(`/handle?${query}`);
    },
    form,
  );
  return (
    <FormPage
      title="Make an account"
      below={[
        <span key="sign-in">
          Have one already? <a href={`/sign-in?${query}`}>Sign in</a>
        </span>,
      ]}
    >
      <FormCard action="/sign-up" failure={above} onSend={send}>
        <input type="hidden" name="next" value={next} />
        <Field
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={60}
          required
          defaultValue={typed('name')}
          hint="As players will see it beside your handle."
          problem={at('name')}
        />
        <Field
          label="E-mail address"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={typed('email')}
          problem={at('email')}
        />
        <NewPasswordField
          label="Password"
          advice="A few words are better than a few signs."
          problem={at('password')}
        />
        <Button type="submit" whole busy={busy}>
          Make the account
        </Button>
      </FormCard>
    </FormPage>
  );
}
