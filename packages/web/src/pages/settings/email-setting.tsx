import type { ShownForm } from '@spaceport/contract/first-data';
import type { OwnAccount } from '@spaceport/contract/own-account';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField } from '../../ui/email-field.tsx';
import { FormCard, textOf } from '../../ui/form-page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { FailureNotice } from '../../ui/refusal.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { Badge } from '../../ui/text.tsx';
import { Setting, type SettingForm } from './setting.tsx';

/** The address to sign in with. A new address takes effect when its mailed link is followed. */
export function EmailSetting({ account, refused }: { account: OwnAccount; refused: ShownForm | null }) {
  const { email, email_verified: isConfirmed } = account;
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <>
      <Setting
        name="E-mail"
        firstField="email"
        refused={refused}
        value={
          <>
            {email}{' '}
            <Badge tone={isConfirmed ? 'good' : 'warn'}>{isConfirmed ? 'confirmed' : 'not confirmed'}</Badge>
          </>
        }
      >
        {({ shown, close }) => (
          <EmailForm
            shown={shown}
            onSent={(to) => {
              setSentTo(to);
              close();
            }}
          />
        )}
      </Setting>
      <div className="setting-more" role="status">
        {sentTo !== null && (
          <Notice tone="info">
            A link is on its way to <strong>{sentTo}</strong>. The address changes when you open it; until
            then everything stays as it is.
          </Notice>
        )}
      </div>
      {!isConfirmed && sentTo === null && <SendAgain email={email} />}
    </>
  );
}

function EmailForm({ shown, onSent }: Pick<SettingForm, 'shown'> & { onSent: (to: string) => void }) {
  const { above, at, busy, send, typed } = useForm(
    ['email', 'password'],
    async (sent) => {
      const body = { email: textOf(sent, 'email'), password: textOf(sent, 'password') };
      onSent((await client.changeEmail({ body })).email);
    },
    shown,
  );
  return (
    <FormCard className="stack" action="/settings/email" failure={above} onSend={send}>
      <EmailField
        label="New e-mail address"
        autoComplete="email"
        maxLength={254}
        defaultValue={typed('email')}
        problem={at('email')}
      />
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        hint="We send a link to the new address, and a notice to the old one when it has changed."
        problem={at('password')}
      />
      <div className="row">
        <Button type="submit" busy={busy}>
          Change the address
        </Button>
      </div>
    </FormCard>
  );
}

function SendAgain({ email }: { email: string }) {
  const [isSent, setSent] = useState(false);
  const { run, busy, failure } = useAction(async () => {
    await client.sendConfirmation();
    setSent(true);
  });
  return (
    <div className="setting-more stack stack--tight">
      <FailureNotice failure={failure} />
      {isSent ? (
        <Notice tone="good">A link is on its way to {email}.</Notice>
      ) : (
        <form
          className="row"
          method="post"
          action="/verify/send"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
        >
          <span className="quiet small">Follow the link in our message to it.</span>
          <Button type="submit" variant="plain" size="small" busy={busy}>
            Send the link again
          </Button>
        </form>
      )}
    </div>
  );
}
