import type { Achievement, Stat } from '@spaceport/contract/achievements';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { useAction } from '../../../data/use-action.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Check, Field, Select } from '../../../ui/field.tsx';
import { Counted } from '../../../ui/space-fields.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { besideFields, notNumbers, problemsOfOne, toNumber } from './numbers.ts';

/** Adds an achievement, or writes one anew: a write is of the whole achievement. */
export function AchievementDialog({
  slug,
  achievement,
  stats,
  taken,
  onClose,
  onSaved,
}: {
  slug: string;
  /** Null for a new one. */
  achievement: Achievement | null;
  stats: readonly Stat[];
  taken: readonly string[];
  onClose: () => void;
  onSaved: () => void;
}) {
  const [key, setKey] = useState(achievement?.key ?? '');
  const [title, setTitle] = useState(achievement?.title ?? '');
  const [description, setDescription] = useState(achievement?.description ?? '');
  const [stat, setStat] = useState(achievement?.trigger?.stat ?? '');
  const [atLeast, setAtLeast] = useState(String(achievement?.trigger?.atLeast ?? ''));
  const [icon, setIcon] = useState(achievement?.icon ?? '');
  const [hidden, setHidden] = useState(achievement?.hidden ?? false);
  const [points, setPoints] = useState(String(achievement?.points ?? 0));
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({});
  const { run, busy, failure } = useAction(async () => {
    const wrong = {
      ...notNumbers({ atLeast, points }),
      ...(stat !== '' && atLeast.trim() === '' ? { atLeast: 'Say what has to be reached.' } : {}),
      ...(achievement === null && taken.includes(key)
        ? { key: 'There is an achievement with this key: edit that one.' }
        : {}),
    };
    setOwn(wrong);
    if (Object.keys(wrong).length > 0) return;
    await client.putAchievements({
      params: { slug },
      body: {
        achievements: [
          {
            key,
            ...(title.trim() === '' ? {} : { title }),
            description,
            trigger: stat === '' ? null : { stat, atLeast: toNumber(atLeast) ?? 0 },
            icon: icon.trim() === '' ? null : icon.trim(),
            hidden,
            points: toNumber(points) ?? 0,
          },
        ],
      },
    });
    onSaved();
    onClose();
    showToast(achievement === null ? 'The achievement is there.' : 'Saved.');
  });
  const problems = { ...problemsOfOne(failure?.problems ?? {}, 'achievements'), ...own };
  return (
    <FormDialog
      title={achievement === null ? 'Add an achievement' : `Edit ${achievement.title}`}
      wide
      onClose={onClose}
      action={achievement === null ? 'Add it' : 'Save'}
      busy={busy}
      failure={besideFields(failure, problems)}
      onSubmit={run}
    >
      <div className="form-grid">
        <Field
          label="Key"
          hint="What your code calls it."
          value={key}
          disabled={achievement !== null}
          spellCheck={false}
          autoFocus={achievement === null}
          problem={problems.key}
          onChange={({ target }) => setKey(target.value)}
        />
        <Field
          label="Title"
          hint="What players read; the key where empty."
          value={title}
          problem={problems.title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </div>
      <Counted
        label="Description"
        lines
        max={500}
        value={description}
        problem={problems.description}
        onChange={setDescription}
      />
      <div className="form-grid">
        <Select
          label="Unlocked by"
          value={stat}
          problem={problems['trigger.stat']}
          hint={stats.length === 0 ? 'Add a stat first to have one unlock it.' : undefined}
          options={[['', 'The game itself'], ...stats.map(({ key: each, label }) => [each, label] as const)]}
          onChange={({ target }) => setStat(target.value)}
        />
        <Field
          label="When it reaches"
          inputMode="decimal"
          disabled={stat === ''}
          value={stat === '' ? '' : atLeast}
          problem={problems.atLeast ?? problems['trigger.atLeast']}
          onChange={({ target }) => setAtLeast(target.value)}
        />
        <Field
          label="Icon"
          type="url"
          inputMode="url"
          placeholder="https://"
          hint="Your game can show it; these pages load nothing from elsewhere."
          value={icon}
          problem={problems.icon}
          onChange={({ target }) => setIcon(target.value)}
        />
        <Field
          label="Points"
          hint="0 to 1,000."
          inputMode="numeric"
          value={points}
          problem={problems.points}
          onChange={({ target }) => setPoints(target.value)}
        />
      </div>
      <Check
        label="Hidden"
        hint="Players see that it is there, and what it is once they have it."
        checked={hidden}
        onChange={({ target }) => setHidden(target.checked)}
      />
    </FormDialog>
  );
}
