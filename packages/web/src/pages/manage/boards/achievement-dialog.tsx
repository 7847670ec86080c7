import type { Achievement, Stat } from '@spaceport/contract/achievements';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { FieldsDialog } from '../../../ui/fields-dialog.tsx';
import { type FormField, givenOf, notAmong, number, numberOf } from '../../../ui/form-field.tsx';
import { textOf } from '../../../ui/form-page.tsx';
import { showToast } from '../../../ui/toast.tsx';

/** Adds or changes an achievement. All its fields are sent. */
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
  const [stat, setStat] = useState(achievement?.trigger?.stat ?? '');
  const send = async (sent: FormData) => {
    const changed = achievementOf(sent, achievement?.key ?? textOf(sent, 'key'));
    await client.putAchievements({ params: { slug }, body: { achievements: [changed] } });
    onSaved();
    showToast(achievement === null ? 'The achievement is there.' : 'Saved.');
  };
  return (
    <FieldsDialog
      title={achievement === null ? 'Add an achievement' : `Edit ${achievement.title}`}
      wide
      grid
      fields={fieldsOf(achievement, stats, taken, stat === '')}
      action={achievement === null ? 'Add it' : 'Save'}
      onSend={send}
      onChange={(form) => setStat(textOf(form, 'trigger.stat'))}
      onClose={onClose}
    />
  );
}

const fieldsOf = (
  achievement: Achievement | null,
  stats: readonly Stat[],
  taken: readonly string[],
  isByGame: boolean,
): FormField[] => [
  {
    name: 'key',
    label: 'Key',
    hint: 'The name that your code uses.',
    defaultValue: achievement?.key,
    disabled: achievement !== null,
    spellcheck: false,
    check: notAmong(taken, 'There is an achievement with this key: edit that one.'),
  },
  {
    name: 'title',
    label: 'Title',
    hint: 'The text that players see. Empty: the key.',
    defaultValue: achievement?.title,
  },
  {
    is: 'counted',
    name: 'description',
    label: 'Description',
    max: 500,
    defaultValue: achievement?.description ?? '',
  },
  {
    is: 'select',
    name: 'trigger.stat',
    label: 'Unlocked by',
    hint: stats.length === 0 ? 'Add a stat first to have one unlock it.' : undefined,
    options: [['', 'The game itself'], ...stats.map(({ key, label }) => [key, label] as const)],
    defaultValue: achievement?.trigger?.stat,
  },
  {
    name: 'trigger.atLeast',
    label: 'When the stat reaches',
    inputMode: 'decimal',
    disabled: isByGame,
    defaultValue: achievement?.trigger?.atLeast,
    check: (typed, form) =>
      textOf(form, 'trigger.stat') !== '' && typed === ''
        ? 'Write the value that unlocks it.'
        : number(typed),
  },
  {
    name: 'icon',
    label: 'Icon',
    type: 'url',
    inputMode: 'url',
    placeholder: 'https://',
    hint: 'For your game to show. These pages do not load it.',
    defaultValue: achievement?.icon ?? '',
  },
  {
    name: 'points',
    label: 'Points',
    hint: '0 to 1,000.',
    inputMode: 'numeric',
    defaultValue: achievement?.points ?? 0,
    check: number,
  },
  {
    is: 'box',
    name: 'hidden',
    label: 'Hidden',
    hint: 'Players see that it exists. They see its text once they have it.',
    defaultChecked: achievement?.hidden ?? false,
  },
];

function achievementOf(sent: FormData, key: string) {
  const title = givenOf(sent, 'title');
  const stat = givenOf(sent, 'trigger.stat');
  return {
    key,
    ...(title !== null && { title }),
    description: textOf(sent, 'description'),
    trigger: stat === null ? null : { stat, atLeast: numberOf(sent, 'trigger.atLeast') ?? 0 },
    icon: givenOf(sent, 'icon'),
    hidden: sent.has('hidden'),
    points: numberOf(sent, 'points') ?? 0,
  };
}
