import { type SandboxCategory, sandboxCategories } from '@spaceport/contract/sandbox';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useForm } from '../../../data/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { type FormField, FormFields, givenOf, tickedOf } from '../../../ui/form-field.tsx';
import { FormCard } from '../../../ui/form-page.tsx';
import { Card, Notice } from '../../../ui/surfaces.tsx';

type Deleted = Partial<Record<SandboxCategory, number>>;

const labels: Readonly<Record<SandboxCategory, string>> = {
  scores: 'Scores',
  saves: 'Saved games',
  achievements: 'Achievements and stats',
  content: 'What players made and shared',
  rooms: 'Rooms of players',
};

const fields: readonly FormField[] = [
  {
    is: 'boxes',
    name: 'categories',
    label: 'What to delete',
    options: sandboxCategories.map((category) => [category, labels[category]]),
    ticked: sandboxCategories,
    check: (_, form) => (form.has('categories') ? undefined : 'Tick at least one.'),
  },
  {
    name: 'player',
    label: 'Only of one player',
    hint: 'Empty: of everyone.',
    placeholder: '@handle',
    autoCapitalize: 'none',
    spellcheck: false,
  },
];

/** Deletes the records of previews, by kind and by player. */
export function SandboxReset({ slug }: { slug: string }) {
  const [asked, setAsked] = useState<{ categories: SandboxCategory[]; player?: string } | null>(null);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const { send, at } = useForm(fields, async (sent) => {
    const player = givenOf(sent, 'player')?.replace(/^@/u, '');
    setDeleted(null);
    setAsked({ categories: tickedOf<SandboxCategory>(sent, 'categories'), ...(player && { player }) });
  });
  return (
    <Card title="Sandbox">
      <FormCard className="stack sandbox-form" onSend={send}>
        <p className="quiet">
          Previews write only here. Emptying it never touches what players have done live.
        </p>
        <FormFields fields={fields} at={at} />
        {deleted !== null && <Notice tone="good">{describeDeleted(deleted)}</Notice>}
        <div>
          <Button type="submit" variant="plain" icon="trash">
            Reset the sandbox
          </Button>
        </div>
      </FormCard>
      {asked !== null && (
        <ConfirmDialog
          title="Reset the sandbox?"
          action="Reset it"
          onClose={() => setAsked(null)}
          onConfirm={async () =>
            setDeleted((await client.resetSandbox({ params: { slug }, body: asked })).deleted)
          }
        >
          <p>
            {asked.categories.map((category) => labels[category]).join(', ')} of{' '}
            {asked.player === undefined ? 'everyone' : `@${asked.player}`} in the sandbox are deleted. It
            cannot be undone; live data stays.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function describeDeleted(deleted: Deleted): string {
  const parts = sandboxCategories.flatMap((category) => {
    const count = deleted[category];
    return count === undefined ? [] : [`${labels[category].toLowerCase()}: ${count.toLocaleString('en')}`];
  });
  return `Deleted: ${parts.join(', ')}.`;
}
