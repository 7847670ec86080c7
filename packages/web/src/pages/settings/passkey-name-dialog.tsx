import type { OwnPasskey } from '@spaceport/contract/account-access';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { refusalOf } from '../../ui/refusal.tsx';
import { Notice } from '../../ui/surfaces.tsx';

/** Calls a passkey something that its owner knows again. */
export function PasskeyNameDialog({
  passkey,
  onRenamed,
  onClose,
}: {
  passkey: OwnPasskey;
  onRenamed: (renamed: OwnPasskey) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(passkey.name ?? '');
  const { run, busy, failure } = useAction(async () => {
    const { passkey: renamed } = await client.renamePasskey({ params: { id: passkey.id }, body: { name } });
    onRenamed(renamed);
    onClose();
  });
  const { above, at } = refusalOf(failure, ['name']);
  return (
    <Dialog
      title="Rename the passkey"
      onClose={onClose}
      onSubmit={run}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            Rename
          </Button>
        </>
      }
    >
      {above && <Notice tone="bad">{above}</Notice>}
      <Field
        label="Name"
        autoComplete="off"
        maxLength={60}
        required
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        hint="So that you know it again: the device it is on, for example."
        problem={at('name')}
      />
    </Dialog>
  );
}
