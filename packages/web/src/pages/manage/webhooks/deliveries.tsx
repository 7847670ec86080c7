import type { WebhookDelivery } from '@spaceport/contract/webhooks';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Skeleton } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Badge, TimeAgo } from '../../../ui/text.tsx';
import { stateTones } from './event-words.ts';

/** The last deliveries of a webhook, with their answers. */
export function Deliveries({ slug, id, isOn }: { slug: string; id: string; isOn: boolean }) {
  const params = { slug, id };
  const { value, error, reload } = useLoad(`${slug} ${id}`, (signal) =>
    client.readDeliveries({ params }, { signal }),
  );
  const resend = useAction(async (delivery: string) => {
    await client.resendDelivery({ params: { ...params, delivery } });
    reload();
  });
  if (error !== null) return <ErrorState error={error} retry={reload} />;
  if (value === null) return <Skeleton height={9} />;
  if (value.deliveries.length === 0) return <p className="quiet">It was sent nothing yet.</p>;
  return (
    <div className="stack">
      <Table
        label="Deliveries"
        rows={value.deliveries}
        keyOf={(delivery) => delivery.id}
        columns={[
          { title: 'Event', cell: ({ type }) => <code>{type}</code> },
          { title: 'When', cell: ({ created_at: at }) => <TimeAgo at={at} /> },
          { title: 'State', cell: ({ state }) => <Badge tone={stateTones[state]}>{state}</Badge> },
          { title: 'Tries', number: true, cell: ({ attempts }) => attempts },
          { title: 'Last answer', cell: ({ answer }) => <Answer answer={answer} /> },
          {
            title: <span className="said">Actions</span>,
            number: true,
            cell: (delivery) =>
              isOn && (
                <Button
                  size="small"
                  variant="plain"
                  busy={resend.busy}
                  onClick={() => resend.run(delivery.id)}
                >
                  Send again<span className="said">: {delivery.type}</span>
                </Button>
              ),
          },
        ]}
      />
      <FailureNotice failure={resend.failure} />
      <div>
        <Button variant="quiet" size="small" icon="restart" onClick={reload}>
          Look again
        </Button>
      </div>
    </div>
  );
}

function Answer({ answer }: Pick<WebhookDelivery, 'answer'>) {
  if (answer === null) return <span className="quiet">none yet</span>;
  const { status, ms, body } = answer;
  return (
    <>
      {status ?? 'No answer'} in {ms.toLocaleString('en')} ms
      {body !== '' && (
        <div className="quiet small webhook-answer" title={body}>
          <bdi>{body}</bdi>
        </div>
      )}
    </>
  );
}
