import { maxWebhooks } from '@spaceport/contract/webhook-events';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Card, EmptyState, Skeleton } from '../../../ui/surfaces.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { NewWebhookDialog, WebhookKeyDialog } from './new-webhook-dialog.tsx';
import { type Rewrite, rewriteList } from './rewrite.ts';
import { WebhookItem } from './webhook-item.tsx';
import './webhooks.css';

/** The webhooks of a space, with their deliveries. */
export default function WebhooksSection() {
  const { slug } = useOwnSpace().space;
  const params = { slug };
  const { value, error, reload, set } = useLoad(slug, (signal) =>
    client.readWebhooks({ params }, { signal }),
  );
  const [isAdding, setAdding] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  if (error !== null) return <ErrorState error={error} retry={reload} />;
  const rewrite: Rewrite = async (change) => {
    const webhooks = await rewriteList(slug, change);
    set({ webhooks });
    return webhooks;
  };
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      Add a webhook…
    </Button>
  );
  return (
    <div className="stack">
      <div className="row row--apart">
        <h2 className="said">Webhooks</h2>
        <p className="quiet small">
          Your addresses that get signed events of this space, at most {maxWebhooks}.
        </p>
        {value !== null && value.webhooks.length > 0 && value.webhooks.length < maxWebhooks && add}
      </div>
      {value === null ? (
        <Card>
          <Skeleton height={9} />
        </Card>
      ) : value.webhooks.length === 0 ? (
        <Card>
          <EmptyState title="No webhooks" level={3} actions={add}>
            <p className="quiet">
              A build server, a chat or your own program gets an event when a version goes live or is refused,
              when the space is held or reported, and of new records.
            </p>
          </EmptyState>
        </Card>
      ) : (
        value.webhooks.map((webhook) => (
          <WebhookItem key={webhook.id} slug={slug} webhook={webhook} rewrite={rewrite} />
        ))
      )}
      {isAdding && <NewWebhookDialog rewrite={rewrite} onKey={setNewKey} onClose={() => setAdding(false)} />}
      {newKey !== null && <WebhookKeyDialog value={newKey} onClose={() => setNewKey(null)} />}
    </div>
  );
}
