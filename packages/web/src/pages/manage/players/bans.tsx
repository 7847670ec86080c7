import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { TimeAgo } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { BanDialog } from './ban-dialog.tsx';

interface Ban {
  readonly handle: string;
  readonly banned_at: string;
}

/** The players who are banned from the boards of a space. */
export function Bans({
  slug,
  bans,
  onChanged,
}: {
  slug: string;
  bans: readonly Ban[];
  onChanged: () => void;
}) {
  const [handle, setHandle] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const lift = useAction(async (who: string) => {
    await client.liftBan({ params: { slug }, body: { handle: who } });
    onChanged();
    showToast(`@${who} is ranked again.`);
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const name = handle.trim().replace(/^@/u, '');
    if (name !== '') setAsked(name);
  };
  return (
    <Card title="Banned players">
      <div className="stack">
        {bans.length === 0 ? (
          <p className="quiet">Nobody is banned.</p>
        ) : (
          <Table
            label="Table of banned players"
            rows={bans}
            keyOf={(ban) => ban.handle}
            columns={[
              { title: 'Player', cell: (ban) => <a href={`/@${ban.handle}`}>@{ban.handle}</a> },
              { title: 'Since', cell: ({ banned_at }) => <TimeAgo at={banned_at} /> },
            ]}
            actions={(ban) => (
              <Button size="small" variant="plain" busy={lift.busy} onClick={() => lift.run(ban.handle)}>
                Lift<span className="said"> the ban of @{ban.handle}</span>
              </Button>
            )}
          />
        )}
        <FailureNotice failure={lift.failure} />
        <form className="row" noValidate onSubmit={submit}>
          <Field
            label="Ban by handle"
            placeholder="@handle"
            autoCapitalize="none"
            spellcheck={false}
            value={handle}
            onChange={({ currentTarget }) => setHandle(currentTarget.value)}
          />
          <Button type="submit" variant="plain">
            Ban…
          </Button>
        </form>
      </div>
      {asked !== null && (
        <BanDialog
          slug={slug}
          handle={asked}
          onClose={() => setAsked(null)}
          onChanged={() => {
            setHandle('');
            onChanged();
          }}
        />
      )}
    </Card>
  );
}
