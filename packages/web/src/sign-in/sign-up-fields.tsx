import type { ShownForm } from '@spaceport/contract/first-data';
import { useDocument } from '../app/app.tsx';
import { client } from '../data/client.ts';
import { requireCookies } from '../data/require-cookies.ts';
import { type Form, useForm } from '../data/use-form.ts';
import { Button } from '../ui/button.tsx';
import { EmailField } from '../ui/email-field.tsx';
import { Field } from '../ui/field.tsx';
import { textOf } from '../ui/form-page.tsx';
import { NewPasswordField } from '../ui/new-password-field.tsx';

/** The state of a sign-up form. `onDone` is called after success. `shown` is the form in the document. */
export function useSignUp(onDone: () => unknown, shown: ShownForm | null = null): Form {
  return useForm(
    ['name', 'email', 'password', 'code'],
    async (sent) => {
      requireCookies();
      const body = {
        name: textOf(sent, 'name'),
        email: textOf(sent, 'email'),
        password: textOf(sent, 'password'),
        ...(sent.has('code') && { code: textOf(sent, 'code') }),
      };
      await client.signUp({ body });
      await onDone();
    },
    shown,
  );
}

/** The fields and buttons of a sign-up form. */
export function SignUpFields({ at, busy, typed }: Pick<Form, 'at' | 'busy' | 'typed'>) {
  const { asksForCode } = useDocument();
  return (
    <>
      {asksForCode && (
        <Field
          label="Invitation code"
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          required
          defaultValue={typed('code')}
          hint="From the people who run this service. Only whom they invite can make an account."
          problem={at('code')}
        />
      )}
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
      <EmailField autoComplete="email" defaultValue={typed('email')} problem={at('email')} />
      <NewPasswordField
        label="Password"
        advice="A few words are better than a few signs."
        problem={at('password')}
      />
      <Button type="submit" whole busy={busy}>
        Make the account
      </Button>
    </>
  );
}
