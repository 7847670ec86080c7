import { webhookEvents } from '@spaceport/contract/webhook-events';
import { useForm } from '../../../data/use-form.ts';
import { useIsThere } from '../../../data/use-is-there.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckGroup } from '../../../ui/check-group.tsx';
import { CopyField } from '../../../ui/copy.tsx';
import { Dialog, FormDialog } from '../../../ui/dialog.tsx';
import { Check, Field } from '../../../ui/field.tsx';
import { textOf } from '../../../ui/form-page.tsx';
import { eventWords } from './event-words.ts';
import type { Rewrite } from './rewrite.ts';

const fields = [
  'url',
  {
    name: 'events',
    check: (_typed: string, form: FormData) =>
      chosenEvents(form).length === 0 ? 'Tick at least one.' : undefined,
  },
] as const;

/**
 * Adds a webhook. `onKey` gets the key that signs its events, which is shown once, also if the dialog was closed
 * meanwhile.
 */
export function NewWebhookDialog({
  rewrite,
  onKey,
  onClose,
}: {
  rewrite: Rewrite;
  onKey: (key: string) => void;
  onClose: () => void;
}) {
  const isThere = useIsThere();
  const form = useForm(fields, async (sent) => {
    const url = textOf(sent, 'url').trim();
    // The new webhook is the first in the list, so its problems are shown at the fields.
    const written = await rewrite((webhooks) => [{ url, events: chosenEvents(sent) }, ...webhooks]);
    const key = written.find(({ secret }) => secret !== null)?.secret;
    if (key) onKey(key);
    if (isThere()) onClose();
  });
  return (
    <FormDialog
      title="Add a webhook"
      action="Add it"
      busy={form.busy}
      failure={form.above}
      onClose={onClose}
      onSubmit={form.send}
    >
      <Field
        label="Address"
        name="url"
        type="url"
        placeholder="https://example.com/hook"
        autoComplete="off"
        spellcheck={false}
        required
        problem={form.at('url')}
      />
      <CheckGroup label="What it is told" problem={form.at('events')} className="stack">
        {(box) =>
          webhookEvents.map((event) => (
            <Check
              key={event}
              name={nameOf(event)}
              label={eventWords[event]}
              hint={event}
              defaultChecked={event === 'version.live' || event === 'version.refused'}
              {...box}
            />
          ))
        }
      </CheckGroup>
    </FormDialog>
  );
}

/** Shows the key of a webhook that was just added. */
export function WebhookKeyDialog({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Dialog
      title="The key of your webhook"
      once
      onClose={onClose}
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <p>
        It signs every event, so that your server can tell who sent it. Copy it now: it is shown only once.
      </p>
      <CopyField label="Key" value={value} />
    </Dialog>
  );
}

function chosenEvents(form: FormData) {
  return webhookEvents.filter((event) => form.has(nameOf(event)));
}

function nameOf(event: string): string {
  return `event_${event}`;
}
