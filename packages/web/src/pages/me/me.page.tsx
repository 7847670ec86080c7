import type { OwnPlay } from '@spaceport/contract/own-play';
import type { PageProps } from '../../app/pages.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Achievements, Rows, Scores } from '../../ui/play-lists.tsx';
import { Card, EmptyState, Main, Notice } from '../../ui/surfaces.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { Made } from './made.tsx';
import './me.css';
import { OwnData } from './own-data.tsx';
import { Losers, Saves } from './saves.tsx';

/** /me: the viewer's own play, shown to the viewer only. The browser itself sends all its forms. */
export default function MePage({ data: { play, done, problem } }: PageProps<'me'>) {
  const { played, scores, achievements, made, saves, losers } = play;
  const isEmpty = [played, scores, achievements, made, saves, losers].every((list) => list.length === 0);
  return (
    <Main width="wide">
      <h1 className="me-title">What you played</h1>
      <div className="me-sections">
        {done !== null && <Notice tone="good">{done}</Notice>}
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        {isEmpty && (
          <EmptyState
            icon="spark"
            title="Nothing yet"
            boxed
            actions={<LinkButton href="/">Find something to play</LinkButton>}
          >
            <p>What you play while you are signed in is kept here: scores, achievements and saves.</p>
          </EmptyState>
        )}
        {played.length > 0 && <Played played={played} />}
        {scores.length > 0 && <Scores scores={scores} />}
        {achievements.length > 0 && <Achievements achievements={achievements} />}
        {made.length > 0 && <Made made={made} />}
        {saves.length > 0 && <Saves saves={saves} />}
        {losers.length > 0 && <Losers losers={losers} />}
        <OwnData isPublic={play.public} isEmpty={isEmpty} />
      </div>
    </Main>
  );
}

function Played({ played }: Pick<OwnPlay, 'played'>) {
  return (
    <Card title="Played">
      <Rows>
        {played.map(({ space, first_at, last_at, seconds }) => (
          <li key={space.slug}>
            <div>
              <a href={`/s/${space.slug}`}>
                <strong>{space.title}</strong>
              </a>
              <p className="quiet small">
                last <TimeAgo at={last_at} /> · first <TimeAgo at={first_at} />
              </p>
            </div>
            <span className="number">{timeOf(seconds)}</span>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function timeOf(seconds: number): string {
  if (seconds < 60) return 'under a minute';
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
