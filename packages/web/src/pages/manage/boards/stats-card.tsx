import type { Achievement, Stat } from '@spaceport/contract/achievements';
import { maxStats } from '@spaceport/contract/declarations';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { opOptions } from './labels.ts';
import { besideFields, problemsOfOne } from './numbers.ts';

/** The stats of a space: numbers of each player, which unlock achievements. */
export function StatsCard({
  slug,
  stats,
  achievements,
  onChanged,
}: {
  slug: string;
  stats: readonly Stat[];
  achievements: readonly Achievement[];
  onChanged: () => void;
}) {
  const [edited, setEdited] = useState<Stat | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Stat | null>(null);
  const users = achievements.filter(({ trigger }) => trigger?.stat === deleted?.key);
  return (
    <Card
      title="Stats"
      actions={
        <>
          <span className="quiet small">
            {stats.length} of {maxStats}
          </span>
          <Button
            size="small"
            variant="plain"
            icon="plus"
            disabled={stats.length >= maxStats}
            onClick={() => setEdited('new')}
          >
            Add a stat
          </Button>
        </>
      }
    >
      {stats.length === 0 ? (
        <p className="quiet">
          A stat is a number kept for each player, such as jumps made. Reaching one unlocks achievements.
        </p>
      ) : (
        <Table
          label="Stats"
          rows={stats}
          keyOf={({ key }) => key}
          columns={[
            {
              title: 'Stat',
              cell: ({ key, label }) => (
                <>
                  {label} <code className="quiet">{key}</code>
                </>
              ),
            },
            { title: 'A write', cell: ({ op }) => opOptions.find(([value]) => value === op)?.[1] },
            {
              title: <span className="said">Actions</span>,
              number: true,
              cell: (stat) => (
                <Menu
                  label={`Actions for ${stat.label}`}
                  items={[
                    { label: 'Edit', onSelect: () => setEdited(stat) },
                    { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setDeleted(stat) },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {edited !== null && (
        <StatDialog
          slug={slug}
          stat={edited === 'new' ? null : edited}
          taken={stats.map(({ key }) => key)}
          onClose={() => setEdited(null)}
          onSaved={onChanged}
        />
      )}
      {deleted !== null && (
        <ConfirmDialog
          title={`Delete the stat ${deleted.label}?`}
          action="Delete the stat"
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            const { values } = await client.deleteStat({ params: { slug, key: deleted.key } });
            showToast(`Deleted, with ${values} ${values === 1 ? 'value' : 'values'} of players.`);
            onChanged();
          }}
        >
          <p>Every player’s value is lost, in the sandbox too. It cannot be undone.</p>
          {users.length > 0 && (
            <p>
              First take it out of the trigger of {users.map(({ title }) => title).join(', ')}: until then it
              cannot be deleted.
            </p>
          )}
        </ConfirmDialog>
      )}
    </Card>
  );
}

function StatDialog({
  slug,
  stat,
  taken,
  onClose,
  onSaved,
}: {
  slug: string;
  stat: Stat | null;
  taken: readonly string[];
  onClose: () => void;
  onSaved: () => void;
}) {
  const [key, setKey] = useState(stat?.key ?? '');
  const [label, setLabel] = useState(stat?.label ?? '');
  const [op, setOp] = useState<Stat['op']>(stat?.op ?? 'set');
  const isTaken = stat === null && taken.includes(key);
  const { run, busy, failure } = useAction(async () => {
    if (isTaken) return;
    await client.putAchievements({
      params: { slug },
      body: { stats: [{ key, op, ...(label.trim() === '' ? {} : { label }) }] },
    });
    onSaved();
    onClose();
    showToast(stat === null ? 'The stat is there.' : 'Saved.');
  });
  const problems = problemsOfOne(failure?.problems ?? {}, 'stats');
  return (
    <FormDialog
      title={stat === null ? 'Add a stat' : `Edit ${stat.label}`}
      onClose={onClose}
      action={stat === null ? 'Add it' : 'Save'}
      busy={busy}
      failure={besideFields(failure, problems)}
      onSubmit={run}
    >
      <Field
        label="Key"
        hint="What your code calls it."
        value={key}
        disabled={stat !== null}
        spellCheck={false}
        autoFocus={stat === null}
        problem={isTaken ? 'There is a stat with this key: edit that one.' : problems.key}
        onChange={({ target }) => setKey(target.value)}
      />
      <Field
        label="Label"
        hint="What people read; the key where empty."
        value={label}
        problem={problems.label}
        onChange={({ target }) => setLabel(target.value)}
      />
      <Select
        label="What a write does"
        value={op}
        options={opOptions}
        // The options are the values and nothing else.
        onChange={({ target }) => setOp(target.value as Stat['op'])}
      />
    </FormDialog>
  );
}
