import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { ReloadFailure } from '../../../ui/reload-failure.tsx';
import { useOwnSpace } from '../own-space.tsx';
import { WaitingSection } from '../waiting-section.tsx';
import { AchievementsCard } from './achievements-card.tsx';
import { BoardsCard } from './boards-card.tsx';
import { SecretCard } from './secret-card.tsx';
import { StatsCard } from './stats-card.tsx';

/** The boards, stats and achievements of a space, and the secret for its server. */
export default function BoardsSection() {
  const { slug } = useOwnSpace().space;
  const boards = useLoad(slug, (signal) => client.readBoards({ params: { slug } }, { signal }));
  const declared = useLoad(slug, (signal) => client.readAchievements({ params: { slug } }, { signal }));
  if (boards.value === null || declared.value === null) return <WaitingSection loads={[boards, declared]} />;
  return (
    <div className="stack">
      <ReloadFailure loads={[boards, declared]} />
      <BoardsCard slug={slug} boards={boards.value.boards} onChanged={boards.reload} />
      <AchievementsCard slug={slug} {...declared.value} onChanged={declared.reload} />
      <StatsCard slug={slug} {...declared.value} onChanged={declared.reload} />
      <SecretCard slug={slug} />
    </div>
  );
}
