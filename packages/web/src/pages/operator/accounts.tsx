import type { OperatorAccount } from '@spaceport/contract/operator-accounts';
import { useState } from 'preact/compat';
import { useQueryValue } from '../../app/address.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Table } from '../../ui/table.tsx';
import { Badge, Num, TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Paged } from './paged.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { Search } from './search.tsx';

/** What a ban does, and how it is undone. */
export const banEffect =
  'The account is signed out, its programs stop, its spaces are hidden and it leaves every ranking. Lifting the ban brings all of that back.';

/** Accounts, newest first. */
export function Accounts() {
  const [q, search] = useQueryValue('account', '');
  const [banned, choose] = useQueryValue('banned', '');
  return (
    <div className="stack">
      <div className="row">
        <Search label="Handle, name or e-mail" value={q} onSearch={search} />
        <Select
          label={<span className="said">Which accounts</span>}
          value={banned === 'true' || banned === 'false' ? banned : ''}
          options={[
            ['', 'Every account'],
            ['true', 'Banned'],
            ['false', 'Not banned'],
          ]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      </div>
      <Paged<OperatorAccount>
        name={`${q}\n${banned}`}
        ask={async (cursor, signal) => {
          const query = {
            limit: 50,
            ...(q === '' ? {} : { q }),
            ...(banned === 'true' || banned === 'false' ? ({ banned } as const) : {}),
            ...(cursor === undefined ? {} : { cursor }),
          };
          const { accounts, next } = await client.readAccounts({ query }, { signal });
          return { items: accounts, next };
        }}
        empty={
          <EmptyState icon="search" title="No such account">
            <p>Try another word.</p>
          </EmptyState>
        }
      >
        {(accounts, replace) => (
          <Table
            label="Accounts"
            rows={accounts}
            keyOf={({ email }) => email}
            columns={[
              { title: 'Account', cell: (account) => <AccountName account={account} /> },
              { title: 'E-mail', cell: ({ email }) => email },
              { title: 'Spaces', number: true, cell: ({ spaces }) => <Num value={spaces} /> },
              { title: 'Since', cell: ({ created_at }) => <TimeAgo at={created_at} /> },
            ]}
            actions={(account) => <BanButton account={account} onChanged={(now) => replace(account, now)} />}
          />
        )}
      </Paged>
    </div>
  );
}

function AccountName({ account: { handle, name, operator, banned_at } }: { account: OperatorAccount }) {
  return (
    <div className="operator-name">
      {handle === null ? <span>{name}</span> : <a href={`/@${handle}`}>@{handle}</a>}
      {handle === null ? (
        <span className="quiet small">no handle yet</span>
      ) : (
        name !== handle && <span className="quiet small">{name}</span>
      )}
      {operator && <Badge tone="accent">operator</Badge>}
      {banned_at !== null && <Badge tone="bad">banned</Badge>}
    </div>
  );
}

function BanButton({
  account: { handle, banned_at },
  onChanged,
}: {
  account: OperatorAccount;
  onChanged: (now: OperatorAccount) => void;
}) {
  const [isAsked, setAsked] = useState(false);
  // An account without a handle can publish nothing, and cannot be banned, because bans name a handle.
  if (handle === null) return null;
  const isBanned = banned_at !== null;
  const verb = isBanned ? 'Lift the ban' : 'Ban';
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setAsked(true)}>
        {verb}…
      </Button>
      {isAsked && (
        <ReasonDialog
          title={isBanned ? `Lift the ban of @${handle}?` : `Ban @${handle}?`}
          action={verb}
          danger={!isBanned}
          onClose={() => setAsked(false)}
          tells={`@${handle}`}
          onConfirm={async (reason, message) => {
            const input = { params: { handle }, body: { reason, message } };
            onChanged(await (isBanned ? client.unbanAccount(input) : client.banAccount(input)));
            showToast(isBanned ? `@${handle} can publish again.` : `@${handle} is banned.`);
          }}
        >
          {isBanned
            ? 'The account and its API tokens work again.'
            : `${banEffect} Open reports of its spaces are closed.`}
        </ReasonDialog>
      )}
    </>
  );
}
