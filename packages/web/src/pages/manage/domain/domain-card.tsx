import type { Domain } from '@spaceport/contract/domains';
import { useState } from 'preact/compat';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { Badge } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import './domain.css';
import { DomainRecords } from './domain-records.tsx';
import { DomainState } from './domain-state.tsx';

const badges = {
  waiting: { tone: 'warn', word: 'waiting' },
  live: { tone: 'good', word: 'live' },
  failed: { tone: 'bad', word: 'over' },
} as const;

/** The host name of a space: its state, its DNS records, and buttons to check and to remove it. */
export function DomainCard({
  own,
  write,
  remove,
}: {
  own: Domain;
  /** Writes the host name. Writing the same name again checks it again. */
  write: (host: string) => Promise<void>;
  remove: () => Promise<void>;
}) {
  const { host, state, looking, records } = own;
  const [isRemoving, setRemoving] = useState(false);
  const look = useAction(() => write(host));
  const { tone, word } = badges[state];
  return (
    <Card
      title={<bdi className="domain-host">{host}</bdi>}
      actions={
        <>
          <Badge tone={tone}>{word}</Badge>
          <Button variant="plain" size="small" icon="trash" onClick={() => setRemoving(true)}>
            Remove…
          </Button>
        </>
      }
    >
      <div className="stack">
        <DomainState own={own} />
        <p className="said" role="status">
          {looking ? `Looking at the DNS of ${host}` : `${host}: ${word}`}
        </p>
        <FailureNotice failure={look.failure} />
        <div>
          <Button variant="plain" size="small" icon="restart" busy={look.busy || looking} onClick={look.run}>
            {state === 'failed' ? 'Begin again' : 'Look again'}
          </Button>
        </div>
        <DomainRecords records={records} />
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={`Remove ${host}?`}
          action="Remove it"
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await remove();
            showToast(`${host} does not point here any more.`);
          }}
        >
          <p>
            From now on nobody can open the space there. Its page and its address here stay. Set again, the
            name needs another TXT record.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
