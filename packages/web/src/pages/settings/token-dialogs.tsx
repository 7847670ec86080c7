import type { OwnToken } from '@spaceport/contract/account-access';
import type { TokenChoice } from '@spaceport/contract/first-data';
import { type Scope, usualScopes } from '@spaceport/contract/scopes';
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useAction } from '../../data/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { refusalOf } from '../../ui/refusal.tsx';
import { ScopeChoice } from '../../ui/scope-choice.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { showToast } from '../../ui/toast.tsx';

const noneTicked = 'Tick at least one.';

/** Makes a token by hand, for a build server say, and shows it once. */
export function NewTokenDialog({
  choice,
  operator,
  onMade,
  onClose,
}: {
  choice: TokenChoice;
  operator: boolean;
  onMade: (made: OwnToken) => void;
  onClose: () => void;
}) {
  const days = [...new Set([choice.maxDays, ...[90, 30, 7].filter((one) => one < choice.maxDays)])];
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['publish']);
  const [space, setSpace] = useState('');
  const [ends, setEnds] = useState(String(choice.maxDays));
  const [made, setMade] = useState<string | null>(null);
  const { run, busy, failure } = useAction(async () => {
    if (scopes.length === 0) return;
    const body = { name, scopes, space: space === '' ? null : space, days: Number(ends) };
    const { token, about } = await client.createToken({ body });
    onMade(about);
    setMade(token);
  });
  const { above, at } = refusalOf(failure, ['name', 'scopes']);
  if (made !== null)
    return (
      <Dialog title="Your new token" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
        <p>Copy it now: it is shown only this once.</p>
        <CopyField label="Token" value={made} />
      </Dialog>
    );
  return (
    <FormDialog title="Make a token" action="Make the token" busy={busy} onClose={onClose} onSubmit={run}>
      {above && <Notice tone="bad">{above}</Notice>}
      <Field
        label="Name"
        autoComplete="off"
        maxLength={80}
        required
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        hint="What it is for: a build server, say."
        problem={at('name')}
      />
      <ScopeChoice
        offered={operator ? [...usualScopes, 'operate'] : usualScopes}
        chosen={scopes}
        problem={scopes.length === 0 ? noneTicked : at('scopes')}
        onChange={setScopes}
      />
      <SpaceSelect choice={choice} value={space} onChange={setSpace} />
      <Select
        label="Ends"
        value={ends}
        onChange={({ currentTarget }) => setEnds(currentTarget.value)}
        options={days.map((one) => [String(one), `in ${one} days`] as const)}
      />
    </FormDialog>
  );
}

/** Takes away from what a token may do. */
export function NarrowTokenDialog({
  token,
  choice,
  onChanged,
  onClose,
}: {
  token: OwnToken;
  choice: TokenChoice;
  onChanged: (changed: OwnToken) => void;
  onClose: () => void;
}) {
  const [scopes, setScopes] = useState<Scope[]>([...token.scopes]);
  const [space, setSpace] = useState('');
  const { run, busy, failure } = useAction(async () => {
    if (scopes.length === 0) return;
    const body = { scopes, ...(space !== '' && { space }) };
    onChanged((await client.changeToken({ params: { id: token.id }, body })).token);
    showToast('The token may do less from now on.');
    onClose();
  });
  const { above, at } = refusalOf(failure, ['scopes']);
  return (
    <FormDialog
      title={`Narrow ${token.client_name ?? 'the token'}`}
      action="Narrow it"
      busy={busy}
      onClose={onClose}
      onSubmit={run}
    >
      {above && <Notice tone="bad">{above}</Notice>}
      <ScopeChoice
        offered={token.scopes}
        chosen={scopes}
        problem={scopes.length === 0 ? 'To take everything away, revoke it.' : at('scopes')}
        onChange={setScopes}
      />
      {token.space === null && <SpaceSelect choice={choice} value={space} onChange={setSpace} />}
    </FormDialog>
  );
}

function SpaceSelect({
  choice: { spaces },
  value,
  onChange,
}: {
  choice: TokenChoice;
  value: string;
  onChange: (slug: string) => void;
}) {
  return (
    <Select
      label="For"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      options={[
        ['', 'all your spaces'] as const,
        ...spaces.map(({ slug, title }) => [slug, `${title} (${slug}) alone`] as const),
      ]}
    />
  );
}
