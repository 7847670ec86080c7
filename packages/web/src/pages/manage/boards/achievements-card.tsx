import type { Achievement, Stat } from '@spaceport/contract/achievements';
import { maxAchievements } from '@spaceport/contract/declarations';
import { client } from '../../../data/client.ts';
import { EmptyState } from '../../../ui/surfaces.tsx';
import { Badge, Num } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { AchievementDialog } from './achievement-dialog.tsx';
import { DeclaredCard } from './declared-card.tsx';

/** The achievements of a space. */
export function AchievementsCard({
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
  const labelOf = (key: string) => stats.find((stat) => stat.key === key)?.label ?? key;
  return (
    <DeclaredCard
      title="Achievements"
      kind="an achievement"
      max={maxAchievements}
      items={achievements}
      empty={
        <EmptyState icon="spark" title="No achievements yet" level={3}>
          <p>Players unlock an achievement through a stat, or when your game says so.</p>
        </EmptyState>
      }
      nameOf={({ title }) => title}
      columns={[
        {
          title: 'Achievement',
          cell: ({ key, title, hidden }) => (
            <>
              {title} <code className="quiet">{key}</code> {hidden && <Badge>Hidden</Badge>}
            </>
          ),
        },
        {
          title: 'Unlocked',
          cell: ({ trigger }) =>
            trigger === null ? (
              'By the game'
            ) : (
              <>
                {labelOf(trigger.stat)} reaches <Num value={trigger.atLeast} />
              </>
            ),
        },
        { title: 'Points', number: true, cell: ({ points }) => <Num value={points} /> },
      ]}
      edit={(achievement, onClose) => (
        <AchievementDialog
          slug={slug}
          achievement={achievement}
          stats={stats}
          taken={achievements.map(({ key }) => key)}
          onClose={onClose}
          onSaved={onChanged}
        />
      )}
      onDelete={async ({ key }) => {
        const { unlocks } = await client.deleteAchievement({ params: { slug, key } });
        showToast(`Deleted, and taken from ${unlocks} ${unlocks === 1 ? 'player' : 'players'}.`);
        onChanged();
      }}
      whatIsLost={() => <p>It is taken from everyone who has it. This cannot be undone.</p>}
    />
  );
}
