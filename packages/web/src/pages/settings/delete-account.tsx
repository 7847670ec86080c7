import type { OwnAccount } from '@spaceport/contract/own-account';
import { useState } from 'react';
import { leaveTo } from '../../app/leave.ts';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { refusalOf } from '../../ui/refusal.tsx';
import { Card, ScriptNeeded } from '../../ui/surfaces.tsx';

/** Ends the account, by its password or by having just signed in. */
export function DeleteAccount({ account }: { account: OwnAccount }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title="Delete the account">
      <div className="stack">
        <p className="quiet">
          Your spaces, scores, achievements and saves go, everywhere and for good.
          {account.handle !== null && ` Nobody ever gets the handle @${account.handle} again.`}
        </p>
        <ScriptNeeded>Deleting the account takes script.</ScriptNeeded>
        <div>
          <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
            Delete my account
          </Button>
        </div>
      </div>
      {isAsking && <DeleteDialog account={account} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function DeleteDialog({ account, onClose }: { account: OwnAccount; onClose: () => void }) {
  const name = account.handle ?? account.email;
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { run, busy, failure } = useAction(async () => {
    if (typed.trim().replace(/^@/u, '') !== name) return setWrong(true);
    await client.deleteAccount({ body: password === '' ? {} : { password } });
    await leaveTo('/');
  });
  const { above, at } = refusalOf(failure, ['password']);
  return (
    <FormDialog
      title="Delete your account?"
      action="Delete it for good"
      danger
      busy={busy}
      failure={above === null ? undefined : failure?.text}
      onSubmit={run}
      onClose={onClose}
    >
      <p>
        Your spaces are gone at once and nobody can restore them. Your scores leave every ranking, your
        programs and browsers are signed out. It cannot be undone.
      </p>
      <Field
        label={`Type ${name} to go on`}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        problem={isWrong && typed.trim().replace(/^@/u, '') !== name ? `Type ${name}.` : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Field
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        hint="Leave it empty where you have just signed in with a passkey."
        value={password}
        problem={at('password')}
        onChange={({ target }) => setPassword(target.value)}
      />
    </FormDialog>
  );
}
