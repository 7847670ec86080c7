import { useState } from 'preact/compat';
import { leaveTo } from '../../../app/leave.ts';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/refusal.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { TypedConfirmDialog } from '../../../ui/typed-confirm-dialog.tsx';
import { useOwnSpace } from '../own-space.tsx';

/** Taking the space offline and back, and deleting it. */
export function DangerCard() {
  const {
    space: { slug, title, state },
    reload,
  } = useOwnSpace();
  const [asked, setAsked] = useState<'offline' | 'delete' | null>(null);
  const online = useAction(async () => {
    await client.putSpaceOnline({ params: { slug } });
    await reload();
    showToast(`${title} is online again.`);
  });
  const close = () => setAsked(null);
  return (
    <Card title="Danger zone">
      <div className="stack">
        {state === 'offline' ? (
          <div className="row row--apart">
            <p className="quiet">It is offline: nobody can open its page or its address.</p>
            <Button variant="plain" busy={online.busy} onClick={online.run}>
              Put it online
            </Button>
          </div>
        ) : (
          <div className="row row--apart">
            <p className="quiet">Take it offline for a while. Previews still open.</p>
            <Button variant="plain" onClick={() => setAsked('offline')}>
              Take it offline
            </Button>
          </div>
        )}
        <FailureNotice failure={online.failure} />
        <div className="row row--apart">
          <p className="quiet">
            Delete it with its versions, boards and scores. For a week it can be restored.
          </p>
          <Button variant="danger" icon="trash" onClick={() => setAsked('delete')}>
            Delete this space
          </Button>
        </div>
      </div>
      {asked === 'offline' && (
        <TypedConfirmDialog
          title={`Take ${title} offline?`}
          name={slug}
          what="slug"
          action="Take it offline"
          onClose={close}
          onConfirm={async () => {
            await client.takeSpaceOffline({ params: { slug } });
            await reload();
            showToast(`${title} is offline.`);
          }}
        >
          <p>
            Nobody can open its page or its address until you put it online again. Scores stay as they are.
          </p>
        </TypedConfirmDialog>
      )}
      {asked === 'delete' && (
        <TypedConfirmDialog
          title={`Delete ${title}?`}
          name={slug}
          what="slug"
          action="Delete it"
          onClose={close}
          onConfirm={async () => {
            await client.deleteSpace({ params: { slug } });
            await leaveTo('/dashboard');
          }}
        >
          <p>
            Its page and its address are gone at once, for everyone. For a week you can restore it from your
            dashboard; then its versions, boards, scores and what players saved are deleted.
          </p>
          <p>The address {slug} is never given to another space.</p>
        </TypedConfirmDialog>
      )}
    </Card>
  );
}
