import { useState } from 'react';
import { carriedFocus, carriedValue } from '../../app/carry-over.ts';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, FormPage } from '../../ui/form-page.tsx';
import { refusalOf } from '../../ui/refusal.tsx';

const back = (
  <a key="back" href="/sign-in">
    Back to signing in
  </a>
);

/** /reset: asks for a link by mail. What it says is the same whether there is such an account. */
export default function ResetPage(_: PageProps<'reset'>) {
  const [email, setEmail] = useState(() => carriedValue('email'));
  const [view, setView] = useState<'first' | 'sent' | 'again'>('first');
  const { run, busy, failure } = useAction(async () => {
    await client.requestPasswordReset({ body: { email } });
    setView('sent');
  });
  const { above, at } = refusalOf(failure, ['email']);
  if (view === 'sent') return <Sent email={email.trim()} onAgain={() => setView('again')} />;
  return (
    <FormPage key={view} title="Forgot your password?" isNew={view === 'again'} below={[back]}>
      <FormCard action="/reset" failure={above} onSend={run}>
        <Field
          label="E-mail address"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          autoFocus={carriedFocus('email')}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
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

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <FormPage key="sent" title="Look into your mail" isNew below={[back]}>
      <div className="card stack">
        <p>
          If there is an account for <strong>{email}</strong>, a link is on its way. It works for an hour.
        </p>
        <p className="quiet small">
          Nothing there after a few minutes? Look among the spam, and whether the address is right.
        </p>
        <Button variant="plain" whole onClick={onAgain}>
          Send it again, or to another address
        </Button>
      </div>
    </FormPage>
  );
}
