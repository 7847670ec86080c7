import { isFrozen } from '@spaceport/contract/frozen';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useForm } from '../../../data/use-form.ts';
import { useIsThere } from '../../../data/use-is-there.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { textOf } from '../../../ui/form-page.tsx';
import { ListingFailure } from '../../../ui/listing-failure.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOwnSpace } from '../own-space.tsx';

/** The address of the space, and the button to move it. */
export function AddressCard() {
  const { space } = useOwnSpace();
  const [isMoving, setMoving] = useState(false);
  return (
    <Card title="Address">
      <div className="stack">
        <dl className="facts">
          <dt>Its page</dt>
          <dd>
            <a href={space.service_url}>{space.service_url}</a>
          </dd>
          <dt>Runs at</dt>
          <dd>
            <a href={space.url ?? ''}>{space.url}</a>
          </dd>
        </dl>
        {!isFrozen(space) && (
          <div>
            <Button variant="plain" icon="arrow-right" onClick={() => setMoving(true)}>
              Move it to another address
            </Button>
          </div>
        )}
      </div>
      {isMoving && <MoveDialog onClose={() => setMoving(false)} />}
    </Card>
  );
}

function MoveDialog({ onClose }: { onClose: () => void }) {
  const { space, reload } = useOwnSpace();
  const isThere = useIsThere();
  const form = useForm(['url'], async (sent) => {
    const { previous_url } = await client.moveSpace({
      params: { slug: space.slug },
      body: { url: textOf(sent, 'url').trim() },
    });
    await reload();
    if (isThere()) onClose();
    showToast(`Moved. It was at ${previous_url} before.`);
  });
  return (
    <FormDialog
      title="Move it to another address"
      onClose={onClose}
      action={form.busy ? 'Looking at the page…' : form.error === null ? 'Move' : 'Try again'}
      busy={form.busy}
      onSubmit={form.send}
    >
      <p>
        From then on its page shows what is at the new address. Boards, scores, achievements and the listing
        stay.
        {space.hosted &&
          ' The versions that were published here are no longer served. They can only be previewed, until you publish one again.'}
      </p>
      <Field
        label="New address"
        name="url"
        type="url"
        inputMode="url"
        placeholder="https://"
        problem={form.at('url')}
        hint={
          space.claimed
            ? 'Its head must have your proof tag. If it is missing, the next step shows what to add.'
            : undefined
        }
      />
      {form.above && <ListingFailure error={form.error} />}
      <p className="quiet small">6 tries in 10 minutes.</p>
    </FormDialog>
  );
}
