import type { AuditEntry } from '@spaceport/contract/audit';
import { client } from '../../data/client.ts';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Table } from '../../ui/table.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { Paged } from './paged.tsx';

/** The audit log: actor, action, time and reason, newest first. */
export function AuditLog() {
  return (
    <Paged<AuditEntry>
      name="log"
      ask={async (cursor, signal) => {
        const query = { limit: 50, ...(cursor === undefined ? {} : { cursor }) };
        const { entries, next } = await client.readAudit({ query }, { signal });
        return { items: entries, next };
      }}
      empty={
        <EmptyState icon="clock" title="No actions yet">
          <p>Every action of an operator is kept here, with who did it and why.</p>
        </EmptyState>
      }
    >
      {(entries) => (
        <Table
          label="What operators did"
          rows={entries}
          keyOf={({ id }) => id}
          columns={[
            { title: 'When', cell: ({ at }) => <TimeAgo at={at} /> },
            {
              title: 'Who',
              cell: ({ actor }) => (actor === 'admin' ? 'on the machine' : <Handle name={actor} />),
            },
            { title: 'What', cell: ({ action }) => action },
            { title: 'About', cell: ({ subject }) => <Subject subject={subject} /> },
            { title: 'Why', cell: ({ reason }) => reason },
          ]}
        />
      )}
    </Paged>
  );
}

function Handle({ name }: { name: string }) {
  return <a href={`/@${name}`}>@{name}</a>;
}

function Subject({ subject: { kind, name, id } }: { subject: AuditEntry['subject'] }) {
  if (name === null)
    return (
      <span className="quiet">
        a {kind} that is gone <code>{id}</code>
      </span>
    );
  if (kind === 'space') return <a href={`/s/${name}`}>{name}</a>;
  if (kind === 'account') return <Handle name={name} />;
  return (
    <span>
      {kind} {name}
    </span>
  );
}
