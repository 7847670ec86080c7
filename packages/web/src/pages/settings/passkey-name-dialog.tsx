import type { OwnPasskey } from '@spaceport/contract/account-access';
import { client } from '../../data/client.ts';
import { FieldsDialog } from '../../ui/fields-dialog.tsx';
import { textOf } from '../../ui/form-page.tsx';

/** Asks for a name by which the owner recognises a passkey. */
export function PasskeyNameDialog({
  passkey: { id, name },
  onRenamed,
  onClose,
}: {
  passkey: OwnPasskey;
  onRenamed: (renamed: OwnPasskey) => void;
  onClose: () => void;
}) {
  return (
    <FieldsDialog
      title="Rename the passkey"
      action="Rename"
      fields={[
        {
          name: 'name',
          label: 'Name',
          autoComplete: 'off',
          maxLength: 60,
          required: true,
          defaultValue: name ?? '',
          hint: 'A name to recognize it by: the device it is on, for example.',
        },
      ]}
      onSend={async (sent) => {
        const body = { name: textOf(sent, 'name') };
        onRenamed((await client.renamePasskey({ params: { id }, body })).passkey);
      }}
      onClose={onClose}
    />
  );
}
