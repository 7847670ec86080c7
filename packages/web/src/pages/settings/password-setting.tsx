import type { ShownForm } from '@spaceport/contract/first-data';
import type { OwnAccount } from '@spaceport/contract/own-account';
import { settingsDone } from '@spaceport/contract/settings-done';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { FormCard, textOf } from '../../ui/form-page.tsx';
import { NewPasswordField } from '../../ui/new-password-field.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Setting, type SettingForm } from './setting.tsx';

interface PasswordProps {
  readonly account: OwnAccount;
  readonly refused: ShownForm | null;
  readonly onChanged: () => void;
}

export function PasswordSetting(props: PasswordProps) {
  return (
    <Setting name="Password" value="Only you know it" firstField="current" refused={props.refused}>
      {(form) => <PasswordForm {...props} {...form} />}
    </Setting>
  );
}

function PasswordForm({ account, onChanged, shown, close }: PasswordProps & SettingForm) {
  const { above, at, busy, send } = useForm(
    ['current', 'password'],
    async (sent) => {
      const body = { current: textOf(sent, 'current'), password: textOf(sent, 'password') };
      await client.changePassword({ body });
      onChanged();
      close();
      showToast(settingsDone.password);
    },
    shown,
  );
  return (
    <FormCard className="stack" action="/settings/password" failure={above} onSend={send}>
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
