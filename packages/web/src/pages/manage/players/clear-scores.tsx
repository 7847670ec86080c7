import type { Board } from '@spaceport/contract/boards';
import type { deleteSubmissions } from '@spaceport/contract/moderation';
import type { BodyInputOf } from '@spaceport/contract/operation';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useForm } from '../../../data/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { type FormField, FormFields, givenOf, number, numberOf } from '../../../ui/form-field.tsx';
import { FormCard } from '../../../ui/form-page.tsx';
import { formatScore } from '../../../ui/score.ts';
import { Card, Notice } from '../../../ui/surfaces.tsx';

type Filter = BodyInputOf<typeof deleteSubmissions>;
type Found = Awaited<ReturnType<typeof client.deleteSubmissions>>;

/** With it, Chromium takes no years of five and six digits, and goes on to the hour after four. */
const latest = '9999-12-31T23:59';

const fieldsFor = (boards: readonly Board[]): FormField[] => [
  {
    name: 'version',
    label: 'Of a version',
    hint: 'Its number.',
    inputMode: 'numeric',
    check: (typed, form) =>
      ['version', 'player', 'from', 'to'].some((name) => givenOf(form, name) !== null)
        ? number(typed)
        : 'Name a version, a player or a time.',
  },
  { name: 'player', label: 'Of a player', placeholder: '@handle', autoCapitalize: 'none', spellcheck: false },
  { name: 'from', label: 'Posted from', type: 'datetime-local', max: latest },
  { name: 'to', label: 'Posted before', type: 'datetime-local', max: latest },
  {
    is: 'select',
    name: 'board',
    label: 'On',
    options: [['', 'every board'], ...boards.map(({ key, title }) => [key, title] as const)],
  },
];

/** Shows, then deletes, the scores of one version, one player or one span of time. */
export function ClearScores({
  slug,
  boards,
  onCleared,
}: {
  slug: string;
  boards: readonly Board[];
  onCleared: () => void;
}) {
  const [asked, setAsked] = useState<{ filter: Filter; found: Found } | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const fields = fieldsFor(boards);
  const { send, at, above, busy } = useForm(fields, async (sent) => {
    const filter = filterOf(sent);
    setSaid(null);
    const found = await client.deleteSubmissions({ params: { slug }, body: { ...filter, dry_run: true } });
    if (found.submissions + found.guest_scores === 0) setSaid('No scores match.');
    else setAsked({ filter, found });
  });
  return (
    <Card title="Delete many scores">
      <FormCard className="stack sandbox-form" failure={above} onSend={send}>
        <p className="quiet">
          Deletes the scores that match everything you fill in. You see how many there are before anything is
          deleted.
        </p>
        <FormFields fields={fields} at={at} />
        {said !== null && <Notice>{said}</Notice>}
        <div>
          <Button type="submit" variant="plain" icon="trash" busy={busy}>
            Find the scores…
          </Button>
        </div>
      </FormCard>
      {asked !== null && (
        <ConfirmDialog
          title={`Delete ${scoresIn(asked.found)}?`}
          action="Delete them"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            const done = await client.deleteSubmissions({ params: { slug }, body: asked.filter });
            setSaid(`Deleted: ${scoresIn(done)}. Players are ranked from their remaining scores.`);
            onCleared();
          }}
        >
          <ul>
            {asked.found.boards.map(({ board, submissions, players }) => (
              <li key={board}>
                {titleOf(boards, board)}: {submissions.toLocaleString('en')} of{' '}
                {players === 1 ? 'one player' : `${players.toLocaleString('en')} players`}
              </li>
            ))}
            {asked.found.guest_scores > 0 && (
              <li>{asked.found.guest_scores.toLocaleString('en')} of players without an account</li>
            )}
          </ul>
          {asked.found.first.length > 0 && <p>The newest: {newestOf(asked.found, boards)}.</p>}
          <p>Players are ranked from their remaining scores. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function filterOf(sent: FormData): Filter {
  const instant = (name: string) => {
    const typed = givenOf(sent, name);
    // The typed time is in the reader's time zone.
    return typed === null ? undefined : new Date(typed).toISOString();
  };
  return {
    version: numberOf(sent, 'version') ?? undefined,
    player: givenOf(sent, 'player') ?? undefined,
    from: instant('from'),
    to: instant('to'),
    board: givenOf(sent, 'board') ?? undefined,
  };
}

function scoresIn({ submissions, guest_scores }: Found): string {
  const count = submissions + guest_scores;
  return count === 1 ? 'one score' : `${count.toLocaleString('en')} scores`;
}

function newestOf({ first }: Found, boards: readonly Board[]): string {
  return first
    .map(({ handle, score, board }) => {
      const shown = boards.find(({ key }) => key === board);
      return `@${handle} ${shown ? formatScore(score, shown) : score}`;
    })
    .join(', ');
}

function titleOf(boards: readonly Board[], key: string): string {
  return boards.find((board) => board.key === key)?.title ?? key;
}
