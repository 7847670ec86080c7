import { type ReactNode, useState } from 'preact/compat';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmailField } from '../../ui/email-field.tsx';
import { FormCard, FormPage, textOf } from '../../ui/form-page.tsx';

/** /reset: asks for a link by mail. The answer is the same whether or not there is such an account. */
export default function ResetPage({ data: { form, sentTo, next } }: PageProps<'reset'>) {
  const [email, setEmail] = useState(sentTo ?? form.values.email ?? '');
  const [view, setView] = useState<'first' | 'sent' | 'again'>(sentTo === null ? 'first' : 'sent');
  const { above, at, busy, send } = useForm(
    ['email'],
    async (sent) => {
      setEmail(textOf(sent, 'email'));
      await client.requestPasswordReset({ body: { email: textOf(sent, 'email') } });
      setView('sent');
    },
    form,
  );
  const query = new URLSearchParams({ next });
  const back = (
    <a key="back" href={`/sign-in?${query}`}>
      Back to signing in
    </a>
  );
  if (view === 'sent')
    return (
      <Sent email={email.trim()} again={`/reset?${query}`} back={back} onAgain={() => setView('again')} />
    );
  return (
    <FormPage key={view} title="Forgot your password?" isNew={view === 'again'} below={[back]}>
      <FormCard action="/reset" failure={above} onSend={send}>
        <input type="hidden" name="next" value={next} />
        <EmailField
          autoComplete="username"
          defaultValue={email}
          hint="We send a link that lets you choose a new password."
          problem={at('email')}
        />
        <Button type="submit" whole busy={busy}>
          Send the link
        </Button>
      </FormCard>
    </FormPage>
  );
}

function Sent({
  email,
  again,
  back,
  onAgain,
}: {
  email: string;
  /** The address of the form, for browsers without script. */
  again: string;
  back: ReactNode;
  onAgain: () => void;
}) {
  return (
    <FormPage key="sent" title="Check your mail" isNew below={[back]}>
      <div className="card stack">
        <p>
          If there is an account for <strong>{email}</strong>, a link is on its way. It works for an hour.
        </p>
        <p className="quiet small">
          No mail after a few minutes? Look in your spam folder, and check the address.
        </p>
        <LinkButton
          variant="plain"
          whole
          href={again}
          onClick={(event) => {
            event.preventDefault();
            onAgain();
          }}
        >
          Send it again, or to another address
        </LinkButton>
      </div>
    </FormPage>
  );
}
