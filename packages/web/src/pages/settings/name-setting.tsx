import type { OwnAccount } from '@spaceport/contract/own-account';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard, textOf } from '../../ui/form-page.tsx';
import { refusalOf } from '../../ui/refusal.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Setting } from './setting.tsx';

interface NameProps {
  readonly account: OwnAccount;
  readonly onChanged: (account: OwnAccount) => void;
}

export function NameSetting(props: NameProps) {
  return (
    <Setting name="Name" value={props.account.name} firstField="name">
      {(close) => <NameForm {...props} onClose={close} />}
    </Setting>
  );
}

function NameForm({ account, onChanged, onClose }: NameProps & { onClose: () => void }) {
  const { run, busy, failure } = useAction(async (form: FormData) => {
    const changed = await client.renameAccount({ body: { name: textOf(form, 'name') } });
    onChanged(changed.account);
    onClose();
    showToast('Your name is changed.');
  });
  const { above, at } = refusalOf(failure, ['name']);
  return (
    <FormCard className="stack" action="/settings/name" failure={above} onSend={run}>
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={60}
        required
        autoFocus
        defaultValue={account.name}
        hint="As players see it beside your handle."
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
