import type { SpaceError } from '@spaceport/contract/telemetry';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Skeleton } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Num, TimeAgo } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';

/** The error's stack, its versions and browsers, and the button to mark it as resolved. */
export function ErrorDetails({
  slug,
  error: { id, resolved, browsers, versions, kind },
  onChanged,
}: {
  slug: string;
  error: SpaceError;
  onChanged: () => void;
}) {
  const params = { slug, id };
  const { value, error, reload } = useLoad(`${slug} ${id}`, (signal) =>
    client.readError({ params }, { signal }),
  );
  const change = useAction(async () => {
    await client.changeError({ params, body: { resolved: !resolved } });
    showToast(resolved ? 'It is open again.' : 'Resolved, until it happens in a newer version.');
    onChanged();
  });
  return (
    <div className="fault-details stack">
      {error !== null ? (
        <ErrorState error={error} retry={reload} />
      ) : value === null ? (
        <Skeleton height={8} />
      ) : value.stack === null ? (
        <p className="quiet">It came without a stack.</p>
      ) : (
        <div>
          <h4>Stack{value.stack_version !== null && `, version ${value.stack_version}`}</h4>
          <CodeBlock code={value.stack} label="Stack" />
          {!value.mapped && value.stack_version !== null && (
            <p className="quiet small">
              As the browser told it. Publish <code>.map</code> files beside the scripts, and it names the
              sources.
            </p>
          )}
        </div>
      )}
      <Table
        label="By version"
        rows={versions}
        keyOf={({ version }) => version ?? 0}
        columns={[
          { title: 'Version', cell: ({ version }) => version ?? 'Your site' },
          { title: 'Times', number: true, cell: ({ count }) => <Num value={count} /> },
          { title: 'Loads', number: true, cell: ({ sessions }) => <Num value={sessions} /> },
          { title: 'First', cell: ({ first_seen: first }) => <TimeAgo at={first} /> },
          { title: 'Last', cell: ({ last_seen: last }) => <TimeAgo at={last} /> },
        ]}
      />
      <p className="quiet small">
        {words[kind]} In{' '}
        {browsers.map(({ browser, count }, index) => (
          <span key={browser}>
            {index > 0 && ', '}
            {browser} ({count.toLocaleString('en')})
          </span>
        ))}
        .
      </p>
      <FailureNotice failure={change.failure} />
      <div>
        <Button variant="plain" icon={resolved ? 'restart' : 'check'} busy={change.busy} onClick={change.run}>
          {resolved ? 'Open it again' : 'Mark as resolved'}
        </Button>
      </div>
    </div>
  );
}

const words = {
  uncaught: 'Thrown and not caught.',
  rejection: 'A promise was rejected and not handled.',
  reported: 'Reported by the game itself.',
} as const;
