import type { OwnPasskey } from '@spaceport/contract/account-access';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { canUsePasskeys, explainPasskey, makePasskey } from '../../data/passkeys.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { describeBrowser } from './describe-browser.ts';
import { PasskeyNameDialog } from './passkey-name-dialog.tsx';

const nameOf = ({ name }: OwnPasskey) => name ?? 'Passkey';

/** The passkeys that sign in to the account. */
export function Passkeys({ first }: { first: readonly OwnPasskey[] }) {
  const [passkeys, setPasskeys] = useState(first);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const add = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await makePasskey(describeBrowser(navigator.userAgent));
      setPasskeys((await client.readPasskeys()).passkeys);
      showToast('The passkey is added. You can sign in with it from now on.');
    } catch (error) {
      setFailure(explainPasskey(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card
      title="Passkeys"
      actions={
        canUsePasskeys && (
          <Button variant="plain" size="small" icon="plus" busy={busy} onClick={() => void add()}>
            Add a passkey
          </Button>
        )
      }
    >
      <p className="quiet settings-about">
        Sign in with your fingerprint, your face or the code of your device, without a password.
      </p>
      {failure && <Notice tone="bad">{failure}</Notice>}
      {passkeys.length === 0 ? (
        <p className="quiet">
          {canUsePasskeys ? 'There are none yet.' : 'There are none, and this browser cannot make one.'}
        </p>
      ) : (
        <ul className="settings-rows">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRenamed={(renamed) =>
                setPasskeys((before) => before.map((each) => (each.id === renamed.id ? renamed : each)))
              }
              onRemoved={() => setPasskeys((before) => before.filter(({ id }) => id !== passkey.id))}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function PasskeyRow({
  passkey,
  onRenamed,
  onRemoved,
}: {
  passkey: OwnPasskey;
  onRenamed: (renamed: OwnPasskey) => void;
  onRemoved: () => void;
}) {
  const [asked, setAsked] = useState<'rename' | 'remove' | null>(null);
  const name = nameOf(passkey);
  const close = () => setAsked(null);
  return (
    <li>
      <div>
        <strong>{name}</strong>
        {passkey.created_at !== null && (
          <p className="quiet small">
            made <TimeAgo at={passkey.created_at} />
          </p>
        )}
      </div>
      <Menu
        label={`What to do with ${name}`}
        items={[
          { label: 'Rename…', onSelect: () => setAsked('rename') },
          { label: 'Remove…', icon: 'trash', danger: true, onSelect: () => setAsked('remove') },
        ]}
      />
      {asked === 'rename' && <PasskeyNameDialog passkey={passkey} onRenamed={onRenamed} onClose={close} />}
      {asked === 'remove' && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove"
          onClose={close}
          onConfirm={async () => {
            await client.removePasskey({ params: { id: passkey.id } });
            onRemoved();
            showToast('The passkey is removed.');
          }}
        >
          It signs nobody in from now on, and cannot be brought back: you would make a new one. Your password
          goes on working.
        </ConfirmDialog>
      )}
    </li>
  );
}
