import type { Achievement, Stat } from '@spaceport/contract/achievements';
import { maxStats } from '@spaceport/contract/declarations';
import { client } from '../../../data/client.ts';
import { FieldsDialog } from '../../../ui/fields-dialog.tsx';
import { chosenOf, givenOf, notAmong } from '../../../ui/form-field.tsx';
import { textOf } from '../../../ui/form-page.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { DeclaredCard } from './declared-card.tsx';
import { opOptions } from './labels.ts';

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
  const usersOf = (stat: Stat) => achievements.filter(({ trigger }) => trigger?.stat === stat.key);
  return (
    <DeclaredCard
      title="Stats"
      kind="a stat"
      max={maxStats}
      items={stats}
      empty={
        <p className="quiet">
          A stat is a number kept for each player, such as jumps made. A stat can unlock achievements.
        </p>
      }
      nameOf={({ label }) => label}
      columns={[
        {
          title: 'Stat',
          cell: ({ key, label }) => (
            <>
              {label} <code className="quiet">{key}</code>
            </>
          ),
        },
        { title: 'A posted value', cell: ({ op }) => opOptions.find(([value]) => value === op)?.[1] },
      ]}
      edit={(stat, onClose) => (
        <StatDialog
          slug={slug}
          stat={stat}
          taken={stats.map(({ key }) => key)}
          onClose={onClose}
          onSaved={onChanged}
        />
      )}
      onDelete={async ({ key }) => {
        const { values } = await client.deleteStat({ params: { slug, key } });
        showToast(`Deleted, with ${values} ${values === 1 ? 'value' : 'values'} of players.`);
        onChanged();
      }}
      whatIsLost={(stat) => (
        <>
          <p>Every player’s value is lost, in the sandbox too. This cannot be undone.</p>
          {usersOf(stat).length > 0 && (
            <p>
              It cannot be deleted while it unlocks{' '}
              {usersOf(stat)
                .map(({ title }) => title)
                .join(', ')}
              . Change what unlocks that first.
            </p>
          )}
        </>
      )}
    />
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
  return (
    <FieldsDialog
      title={stat === null ? 'Add a stat' : `Edit ${stat.label}`}
      action={stat === null ? 'Add it' : 'Save'}
      fields={[
        {
          name: 'key',
          label: 'Key',
          hint: 'The name that your code uses.',
          defaultValue: stat?.key,
          disabled: stat !== null,
          spellcheck: false,
          check: notAmong(taken, 'There is a stat with this key: edit that one.'),
        },
        {
          name: 'label',
          label: 'Label',
          hint: 'The text that people see. Empty: the key.',
          defaultValue: stat?.label,
        },
        {
          is: 'select',
          name: 'op',
          label: 'What a posted value does',
          options: opOptions,
          defaultValue: stat?.op,
        },
      ]}
      onSend={async (sent) => {
        const key = stat?.key ?? textOf(sent, 'key');
        const label = givenOf(sent, 'label');
        const op = chosenOf<Stat['op']>(sent, 'op');
        const stats = [{ key, op, ...(label !== null && { label }) }];
        await client.putAchievements({ params: { slug }, body: { stats } });
        onSaved();
        showToast(stat === null ? 'The stat is there.' : 'Saved.');
      }}
      onClose={onClose}
    />
  );
}
