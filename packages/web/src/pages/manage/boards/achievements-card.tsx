import type { Achievement, Stat } from '@spaceport/contract/achievements';
import { maxAchievements } from '@spaceport/contract/declarations';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Card, EmptyState } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Badge, Num } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { AchievementDialog } from './achievement-dialog.tsx';

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
  const [edited, setEdited] = useState<Achievement | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Achievement | null>(null);
  const labelOf = (key: string) => stats.find((stat) => stat.key === key)?.label ?? key;
  return (
    <Card
      title="Achievements"
      actions={
        <>
          <span className="quiet small">
            {achievements.length} of {maxAchievements}
          </span>
          <Button
            size="small"
            variant="plain"
            icon="plus"
            disabled={achievements.length >= maxAchievements}
            onClick={() => setEdited('new')}
          >
            Add an achievement
          </Button>
        </>
      }
    >
      {achievements.length === 0 ? (
        <EmptyState icon="spark" title="No achievements yet" level={3}>
          <p>Something to reach: by a stat, or whenever your game says so.</p>
        </EmptyState>
      ) : (
        <Table
          label="Achievements"
          rows={achievements}
          keyOf={({ key }) => key}
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
            {
              title: <span className="said">Actions</span>,
              number: true,
              cell: (achievement) => (
                <Menu
                  label={`Actions for ${achievement.title}`}
                  items={[
                    { label: 'Edit', onSelect: () => setEdited(achievement) },
                    { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setDeleted(achievement) },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {edited !== null && (
        <AchievementDialog
          slug={slug}
          achievement={edited === 'new' ? null : edited}
          stats={stats}
          taken={achievements.map(({ key }) => key)}
          onClose={() => setEdited(null)}
          onSaved={onChanged}
        />
      )}
      {deleted !== null && (
        <ConfirmDialog
          title={`Delete the achievement ${deleted.title}?`}
          action="Delete the achievement"
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            const { unlocks } = await client.deleteAchievement({ params: { slug, key: deleted.key } });
            showToast(`Deleted, and taken from ${unlocks} ${unlocks === 1 ? 'player' : 'players'}.`);
            onChanged();
          }}
        >
          <p>It is taken from everyone who has it. It cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
