import type { OwnAccount } from '@spaceport/contract/own-account';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { FormCard, textOf } from '../../ui/form-page.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { refusalOf } from '../../ui/refusal.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Setting } from './setting.tsx';

interface PasswordProps {
  readonly account: OwnAccount;
  readonly onChanged: () => void;
}

export function PasswordSetting(props: PasswordProps) {
  return (
    <Setting name="Password" value="Known to you alone" firstField="current">
      {(close) => <PasswordForm {...props} onClose={close} />}
    </Setting>
  );
}

function PasswordForm({ account, onChanged, onClose }: PasswordProps & { onClose: () => void }) {
  const { run, busy, failure } = useAction(async (form: FormData) => {
    const body = { current: textOf(form, 'current'), password: textOf(form, 'password') };
    await client.changePassword({ body });
    onChanged();
    onClose();
    showToast('Your password is changed. Every other browser was signed out.');
  });
  const { above, at } = refusalOf(failure, ['current', 'password']);
  return (
    <FormCard className="stack" action="/settings/password" failure={above} onSend={run}>
      {/* Tells a password manager whose password it is that changes. */}
      <input
        type="email"
        name="username"
        autoComplete="username"
        className="said"
        value={account.email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField
        label="Current password"
        name="current"
        autoComplete="current-password"
        autoFocus
        problem={at('current')}
      />
      <NewPasswordField
        label="New password"
        advice="Every other browser will be signed out."
        problem={at('password')}
      />
      <div className="row">
        <Button type="submit" busy={busy}>
          Change the password
        </Button>
      </div>
    </FormCard>
  );
}
