import { useViewer } from '../../app/app.tsx';
import type { PageProps } from '../../app/pages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Achievements, Scores } from '../../ui/play-lists.tsx';
import { SpaceCards } from '../../ui/space-card.tsx';
import { EmptyState, Main } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import './creator.css';

/** /@{handle}: a creator, their spaces, and their scores and achievements, if they show these to others. */
export default function CreatorPage({ data: { handle, name, since, spaces, played } }: PageProps<'creator'>) {
  const isSelf = useViewer()?.handle === handle;
  const { scores = [], achievements = [] } = played ?? {};
  const hasWon = scores.length + achievements.length > 0;
  return (
    <Main>
      <header className="creator-head">
        <Avatar name={handle} large />
        <div>
          <h1>{name}</h1>
          <p className="quiet">
            @{handle} · joined <TimeAgo at={since} />
          </p>
        </div>
      </header>
      {spaces.length > 0 && <SpaceCards spaces={spaces} byOwner={false} />}
      {hasWon && (
        <div className="creator-played">
          {scores.length > 0 && <Scores scores={scores} />}
          {achievements.length > 0 && <Achievements achievements={achievements} />}
        </div>
      )}
      {/* Players look for what they have won, so an empty shelf comes after it, and for the player alone. */}
      {spaces.length === 0 && (isSelf || !hasWon) && (
        <EmptyState
          icon="spark"
          title={isSelf ? 'Your shelf is empty' : 'Nothing is listed here yet'}
          boxed
          actions={isSelf && <LinkButton href="/#publish">See how to publish</LinkButton>}
        >
          <p>
            {isSelf ? 'What you publish live appears here.' : `What @${handle} publishes will appear here.`}
          </p>
        </EmptyState>
      )}
    </Main>
  );
}
