import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { givenOf } from '../../ui/form-field.tsx';
import { FormCard } from '../../ui/form-page.tsx';
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

/** The actions on a host. Each asks the operator for a reason. */
const changes = {
  block: {
    verb: 'Block',
    effect:
      'Pages there, and under it, cannot be listed any more. Spaces that are listed stay. It can be unblocked.',
    done: (host: string) => `${host} is blocked.`,
    call: 'blockHost',
  },
  unblock: {
    verb: 'Unblock',
    effect: 'Pages there can be listed again.',
    done: (host: string) => `Pages at ${host} can be listed again.`,
    call: 'unblockHost',
  },
} as const;

/** Hosts and addresses that are never listed. */
export function Addresses() {
  // Increases with each change, so that the list is read again and the form is emptied.
  const [turn, setTurn] = useState(0);
  const [asked, setAsked] = useState<{ change: keyof typeof changes; host: string } | null>(null);
  const change = asked && changes[asked.change];
  const ask = async (sent: FormData) => {
    const host = givenOf(sent, 'host');
    if (host !== null) setAsked({ change: 'block', host });
  };
  const { send } = useForm(['host'], ask);
  return (
    <div className="stack">
      <FormCard key={turn} className="row operator-block" onSend={send}>
        <Field
          label="Never list a host, host:port or address"
          name="host"
          placeholder="spam.example"
          maxLength={2_000}
        />
        <Button type="submit" variant="plain">
          Block…
        </Button>
      </FormCard>
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
            ]}
            actions={({ host: name }) => (
              <Button
                variant="quiet"
                size="small"
                onClick={() => setAsked({ change: 'unblock', host: name })}
              >
                Unblock…
              </Button>
            )}
          />
        )}
      </Paged>
      {asked !== null && change && (
        <ReasonDialog
          title={`${change.verb} ${asked.host}?`}
          action={change.verb}
          danger={asked.change === 'block'}
          onClose={() => setAsked(null)}
          onConfirm={async (reason) => {
            await client[change.call]({ body: { host: asked.host, reason } });
            showToast(change.done(asked.host));
            setTurn(turn + 1);
          }}
        >
          {change.effect}
        </ReasonDialog>
      )}
    </div>
  );
}
