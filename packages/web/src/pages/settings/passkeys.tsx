import type { OwnPasskey } from '@spaceport/contract/account-access';
import { settingsDone } from '@spaceport/contract/settings-done';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { explainPasskey, makePasskey, useCanUsePasskeys } from '../../data/passkeys.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { describeBrowser } from '../../ui/describe-browser.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Card, Notice, ScriptNeeded } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { PasskeyNameDialog } from './passkey-name-dialog.tsx';
import { AskingWithoutScript } from './setting.tsx';
import { useFocusWhenGone } from './use-focus-when-gone.ts';

interface Asked {
  readonly is: 'rename' | 'remove';
  readonly passkey: OwnPasskey;
}

/** The passkeys that sign in to the account. */
export function Passkeys({ first }: { first: readonly OwnPasskey[] }) {
  const hasPasskeys = useCanUsePasskeys();
  const [passkeys, setPasskeys] = useState(first);
  const [asked, setAsked] = useState<Asked | null>(null);
  const about = useFocusWhenGone<HTMLParagraphElement>(asked !== null);
  const { run, busy, error } = useAction(async () => {
    await makePasskey(describeBrowser(navigator.userAgent));
    setPasskeys((await client.readPasskeys()).passkeys);
    showToast('The passkey is added. You can sign in with it from now on.');
  });
  const close = () => setAsked(null);
  return (
    <Card
      title="Passkeys"
      actions={
        hasPasskeys && (
          <Button variant="plain" size="small" icon="plus" busy={busy} onClick={() => run()}>
            Add a passkey
          </Button>
        )
      }
    >
      <p ref={about} tabIndex={-1} className="quiet settings-about">
        Sign in with your fingerprint, your face or the code of your device, without a password.
      </p>
      <ScriptNeeded>Adding, renaming and using a passkey needs JavaScript.</ScriptNeeded>
      {error !== null && <Notice tone="bad">{explainPasskey(error)}</Notice>}
      {passkeys.length === 0 ? (
        <p className="quiet">
          {hasPasskeys
            ? 'You have no passkeys yet.'
            : 'You have no passkeys, and this browser cannot make one.'}
        </p>
      ) : (
        <ul className="settings-rows">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onAsked={(is) => setAsked({ is, passkey })} />
          ))}
        </ul>
      )}
      {asked?.is === 'rename' && (
        <PasskeyNameDialog
          passkey={asked.passkey}
          onRenamed={(renamed) =>
            setPasskeys((before) => before.map((each) => (each.id === renamed.id ? renamed : each)))
          }
          onClose={close}
        />
      )}
      {asked?.is === 'remove' && (
        <ConfirmDialog
          title={`Remove ${nameOf(asked.passkey)}?`}
          action="Remove"
          onClose={close}
          onConfirm={async () => {
            await client.removePasskey({ params: { id: asked.passkey.id } });
            setPasskeys((before) => before.filter(({ id }) => id !== asked.passkey.id));
            showToast(settingsDone.removed);
          }}
        >
          You cannot sign in with it any more, and it cannot be brought back: make a new one instead. Your
          password still works.
        </ConfirmDialog>
      )}
    </Card>
  );
}

function PasskeyRow({ passkey, onAsked }: { passkey: OwnPasskey; onAsked: (is: Asked['is']) => void }) {
  const name = nameOf(passkey);
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
          { label: 'Rename…', icon: 'edit', onSelect: () => onAsked('rename') },
          { label: 'Remove…', icon: 'trash', danger: true, onSelect: () => onAsked('remove') },
        ]}
      />
      <AskingWithoutScript action="Remove">
        <form className="stack" method="post" action="/settings/passkeys/remove">
          <input type="hidden" name="id" value={passkey.id} />
          <p className="small">
            You cannot sign in with it any more, and it cannot be brought back. Your password still works.
          </p>
          <div>
            <Button type="submit" variant="danger" size="small">
              Remove {name}
            </Button>
          </div>
        </form>
      </AskingWithoutScript>
    </li>
  );
}

function nameOf({ name }: OwnPasskey): string {
  return name ?? 'Passkey';
}
