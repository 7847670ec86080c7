import type { ShownForm } from '@spaceport/contract/first-data';
import type { OwnAccount } from '@spaceport/contract/own-account';
import { useState } from 'preact/compat';
import { leaveTo } from '../../app/leave.ts';
import { client } from '../../data/client.ts';
import { requireAccount } from '../../data/require-account.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { FieldsDialog } from '../../ui/fields-dialog.tsx';
import { type FormField, FormFields } from '../../ui/form-field.tsx';
import { textOf } from '../../ui/form-page.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { typedName } from '../../ui/typed-confirm-dialog.tsx';
import { AskingWithoutScript, sentByBrowser } from './setting.tsx';

/** The form to delete the account. It needs the password, or a recent sign-in. */
export function DeleteAccount({ account, refused }: { account: OwnAccount; refused: ShownForm | null }) {
  const [isAsking, setAsking] = useState(false);
  const fields = fieldsOf(account, refused);
  const { above, at } = useForm(fields, sentByBrowser, refused);
  return (
    <Card title="Delete the account">
      <div className="stack">
        <p className="quiet">
          Your spaces, scores, achievements and saves are deleted, everywhere and for good.
          {account.handle !== null && ` Nobody can ever choose the handle @${account.handle} again.`}
        </p>
        <div className="script-only">
          <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
            Delete my account
          </Button>
        </div>
        <AskingWithoutScript action="Delete my account" isOpen={refused !== null}>
          <form className="stack" method="post" action="/settings/delete">
            {above && <Notice tone="bad">{above}</Notice>}
            {whatGoes}
            <FormFields fields={fields} at={at} />
            <div>
              <Button type="submit" variant="danger">
                Delete it for good
              </Button>
            </div>
          </form>
        </AskingWithoutScript>
      </div>
      {isAsking && (
        <FieldsDialog
          title="Delete your account?"
          action="Delete it for good"
          danger
          fields={fields}
          onSend={async (sent) => {
            await requireAccount(account.handle);
            const password = textOf(sent, 'password');
            await client.deleteAccount({ body: password === '' ? {} : { password } });
            await leaveTo('/');
          }}
          onClose={() => setAsking(false)}
        >
          {whatGoes}
        </FieldsDialog>
      )}
    </Card>
  );
}

const whatGoes = (
  <p>
    Your spaces are gone at once and nobody can restore them. Your scores leave every ranking. Your programs
    and browsers are signed out. This cannot be undone.
  </p>
);

const fieldsOf = ({ handle, email }: OwnAccount, refused: ShownForm | null): FormField[] => {
  const name = handle ?? email;
  return [
    typedName(`Type ${name} to go on`, name, refused?.values.typed),
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      autoComplete: 'current-password',
      hint: 'Leave it empty if you have just signed in with a passkey.',
    },
  ];
};
