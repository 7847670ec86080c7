import { type SandboxCategory, sandboxCategories } from '@spaceport/contract/hosting';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Check, Field } from '../../../ui/field.tsx';
import '../../../ui/space-fields.css';
import { Card, Notice } from '../../../ui/surfaces.tsx';

type Deleted = Partial<Record<SandboxCategory, number>>;

const labels: Readonly<Record<SandboxCategory, string>> = {
  scores: 'Scores',
  saves: 'Saved games',
  achievements: 'Achievements and stats',
  content: 'What players made and shared',
  rooms: 'Rooms that players are in together',
};

/** Empties what previews have left, by kind and by player. */
export function SandboxReset({ slug }: { slug: string }) {
  const [chosen, setChosen] = useState<readonly SandboxCategory[]>(sandboxCategories);
  const [player, setPlayer] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const name = player.trim().replace(/^@/u, '');
  return (
    <Card title="Sandbox">
      <div className="stack">
        <p className="quiet">
          Previews write here and nowhere else. Emptying it never touches what players have done live.
        </p>
        <fieldset className="field">
          <legend className="label">What to delete</legend>
          <div className="check-row">
            {sandboxCategories.map((category) => (
              <Check
                key={category}
                label={labels[category]}
                checked={chosen.includes(category)}
                onChange={({ target }) =>
                  setChosen(
                    sandboxCategories.filter((each) =>
                      each === category ? target.checked : chosen.includes(each),
                    ),
                  )
                }
              />
            ))}
          </div>
        </fieldset>
        <div className="handle-field">
          <Field
            label="Only of one player"
            hint="Empty: of everyone."
            placeholder="@handle"
            autoCapitalize="none"
            spellCheck={false}
            value={player}
            onChange={({ target }) => setPlayer(target.value)}
          />
        </div>
        {deleted !== null && <Notice tone="good">{describeDeleted(deleted)}</Notice>}
        <div>
          <Button
            variant="plain"
            icon="trash"
            disabled={chosen.length === 0}
            onClick={() => {
              setDeleted(null);
              setAsking(true);
            }}
          >
            Reset the sandbox
          </Button>
        </div>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Reset the sandbox?"
          action="Reset it"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const answer = await client.resetSandbox({
              params: { slug },
              body: { categories: [...chosen], ...(name === '' ? {} : { player: name }) },
            });
            setDeleted(answer.deleted);
          }}
        >
          <p>
            {chosen.map((category) => labels[category]).join(', ')} of {name === '' ? 'everyone' : `@${name}`}{' '}
            in the sandbox are deleted. It cannot be undone; live data stays.
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
