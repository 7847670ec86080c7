import type { Webhook } from '@spaceport/contract/webhooks';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Card, Notice } from '../../../ui/surfaces.tsx';
import { TimeAgo } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import type { Rewrite } from './rewrite.ts';

/** One webhook: its events, whether it is on, and its deliveries. */
export function WebhookItem({
  slug,
  webhook: { id, url, events, off_reason: reason, off_at: offAt },
  rewrite,
}: {
  slug: string;
  webhook: Webhook;
  rewrite: Rewrite;
}) {
  const [isOpen, setOpen] = useState(reason !== null);
  const [isRemoving, setRemoving] = useState(false);
  // Increases with each test, so that the list of deliveries is read again.
  const [tests, setTests] = useState(0);
  const test = useAction(async () => {
    await client.testWebhook({ params: { slug, id } });
    setTests((before) => before + 1);
    setOpen(true);
    showToast('The test event is on its way.');
  });
  const switchOn = useAction(async () => {
    await rewrite((webhooks) => webhooks);
    showToast('Every webhook of the list is on.');
  });
  return (
    <Card
      title={<bdi className="webhook-url">{url}</bdi>}
      actions={
        <>
          {reason === null && (
            <Button variant="plain" size="small" icon="play" busy={test.busy} onClick={test.run}>
              Send a test
            </Button>
          )}
          <Button variant="plain" size="small" icon="trash" onClick={() => setRemoving(true)}>
            Remove…
          </Button>
        </>
      }
    >
      <div className="stack">
        <p className="quiet small">{events.join(', ')}</p>
        {reason !== null && offAt !== null && (
          <Notice
            tone="warn"
            actions={
              <Button variant="plain" size="small" busy={switchOn.busy} onClick={switchOn.run}>
                Switch it on
              </Button>
            }
          >
            It was switched off <TimeAgo at={offAt} />:{' '}
            {reason === 'gone' ? 'it answered 410.' : 'it did not accept an event for a day.'}
          </Notice>
        )}
        {[test, switchOn].map(
          ({ failure }, index) =>
            failure && (
              // biome-ignore lint/suspicious/noArrayIndexKey: there are two, which do not move
              <Notice key={index} tone="bad">
                {failure.text}
              </Notice>
            ),
        )}
        <div>
          <Button variant="plain" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Deliveries<span className="said"> to {url}</span>
          </Button>
        </div>
        {isOpen && <Deliveries key={tests} slug={slug} id={id} isOn={reason === null} />}
      </div>
      {isRemoving && (
        <ConfirmDialog
          title="Remove the webhook?"
          action="Remove it"
          onClose={() => setRemoving(false)}
          onConfirm={() => rewrite((webhooks) => webhooks.filter((one) => one.id !== id))}
        >
          <p>
            It gets no more events, and its deliveries are deleted. If you add it again, it gets another key.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
