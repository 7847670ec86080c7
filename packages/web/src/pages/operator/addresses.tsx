import { useState } from 'react';
import { client } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Table } from '../../ui/table.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Paged } from './paged.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

interface Block {
  readonly host: string;
  readonly blocked_at: string;
}

/** Hosts and addresses that are never listed. */
export function Addresses() {
  const [turn, setTurn] = useState(0);
  const [host, setHost] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [lifted, setLifted] = useState<string | null>(null);
  return (
    <div className="stack">
      <form
        className="row operator-block"
        onSubmit={(event) => {
          event.preventDefault();
          if (host.trim() !== '') setAsked(true);
        }}
      >
        <Field
          label="Never list a host, host:port or address"
          placeholder="spam.example"
          value={host}
          maxLength={2_000}
          onChange={({ target }) => setHost(target.value)}
        />
        <Button type="submit" variant="plain">
          Block…
        </Button>
      </form>
      <Paged<Block>
        name={`blocks ${turn}`}
        ask={async (cursor, signal) => {
          const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
          const { blocks, next } = await client.readBlocks({ query }, { signal });
          return { items: blocks, next };
        }}
        empty={
          <EmptyState icon="check" title="Nothing is blocked">
            <p>Pages at a blocked host, or under it, cannot be listed; spaces that are listed stay.</p>
          </EmptyState>
        }
      >
        {(blocks) => (
          <Table
            label="Blocked addresses"
            rows={blocks}
            keyOf={({ host: name }) => name}
            columns={[
              { title: 'Never listed', cell: ({ host: name }) => <code>{name}</code> },
              { title: 'Since', cell: ({ blocked_at }) => <TimeAgo at={blocked_at} /> },
              {
                title: <span className="said">What to do</span>,
                cell: ({ host: name }) => (
                  <Button variant="quiet" size="small" onClick={() => setLifted(name)}>
                    Unblock…
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Paged>
      {isAsked && (
        <ReasonDialog
          title={`Block ${host.trim()}?`}
          action="Block"
          danger
          onClose={() => setAsked(false)}
          onConfirm={async (reason) => {
            await client.blockHost({ body: { host: host.trim(), reason } });
            showToast(`${host.trim()} is blocked.`);
            setHost('');
            setTurn(turn + 1);
          }}
        >
          Pages there, and under it, cannot be listed any more. Spaces that are listed stay. It can be
          unblocked.
        </ReasonDialog>
      )}
      {lifted !== null && (
        <ReasonDialog
          title={`Unblock ${lifted}?`}
          action="Unblock"
          onClose={() => setLifted(null)}
          onConfirm={async (reason) => {
            await client.unblockHost({ body: { host: lifted, reason } });
            showToast(`Pages at ${lifted} can be listed again.`);
            setTurn(turn + 1);
          }}
        >
          Pages there can be listed again.
        </ReasonDialog>
      )}
    </div>
  );
}
