import type { ShownForm } from '@spaceport/contract/first-data';
import type { OwnAccount } from '@spaceport/contract/own-account';
import { settingsDone } from '@spaceport/contract/settings-done';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, textOf } from '../../ui/form-page.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Setting, type SettingForm } from './setting.tsx';

interface NameProps {
  readonly account: OwnAccount;
  readonly refused: ShownForm | null;
  readonly onChanged: (account: OwnAccount) => void;
}

export function NameSetting(props: NameProps) {
  return (
    <Setting name="Name" value={props.account.name} firstField="name" refused={props.refused}>
      {(form) => <NameForm {...props} {...form} />}
    </Setting>
  );
}

function NameForm({ account, onChanged, shown, close }: NameProps & SettingForm) {
  const { above, at, busy, send } = useForm(
    ['name'],
    async (sent) => {
      const changed = await client.renameAccount({ body: { name: textOf(sent, 'name') } });
      onChanged(changed.account);
      close();
      showToast(settingsDone.saved);
    },
    shown,
  );
  return (
    <FormCard className="stack" action="/settings/name" failure={above} onSend={send}>
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={60}
        required
        defaultValue={shown?.values.name ?? account.name}
        hint="Players see it beside your handle."
        problem={at('name')}
      />
      <div className="row">
        <Button type="submit" busy={busy}>
          Save the name
        </Button>
      </div>
    </FormCard>
  );
}
