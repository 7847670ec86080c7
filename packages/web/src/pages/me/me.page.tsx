import type { OwnPlay } from '@spaceport/contract/own-play';
import type { ReactNode } from 'react';
import type { PageProps } from '../../app/pages.ts';
import { LinkButton } from '../../ui/button.tsx';
import { formatScore } from '../../ui/score.ts';
import { Card, EmptyState, Main, Notice } from '../../ui/surfaces.tsx';
import { Num, TimeAgo } from '../../ui/text.tsx';
import './me.css';
import { OwnData } from './own-data.tsx';
import { Losers, Saves } from './saves.tsx';

/** /me: what the viewer has played, for the viewer alone. Every form of it is sent by the browser itself. */
export default function MePage({ data: { play, done, problem } }: PageProps<'me'>) {
  const { played, scores, achievements, saves, losers } = play;
  const isEmpty = [played, scores, achievements, saves, losers].every((list) => list.length === 0);
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

function Scores({ scores }: Pick<OwnPlay, 'scores'>) {
  return (
    <Card title="Scores">
      <Rows>
        {scores.map(({ space, board, score, rank, entries }) => (
          <li key={`${space.slug} ${board.key}`}>
            <div>
              <strong>{board.title}</strong>
              <p className="quiet small">
                <a href={`/s/${space.slug}`}>{space.title}</a> · rank <Num value={rank} /> of{' '}
                <Num value={entries} short />
              </p>
            </div>
            <span className="number">{formatScore(score, board)}</span>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function Achievements({ achievements }: Pick<OwnPlay, 'achievements'>) {
  return (
    <Card title="Achievements">
      <Rows>
        {achievements.map(({ space, key, title, points, unlocked_at }) => (
          <li key={`${space.slug} ${key}`}>
            <div>
              <strong>{title}</strong>
              <p className="quiet small">
                <a href={`/s/${space.slug}`}>{space.title}</a> · <TimeAgo at={unlocked_at} />
              </p>
            </div>
            {points > 0 && (
              <span className="quiet small">
                <Num value={points} /> {points === 1 ? 'point' : 'points'}
              </span>
            )}
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return <ul className="settings-rows me-rows">{children}</ul>;
}

function timeOf(seconds: number): string {
  if (seconds < 60) return 'under a minute';
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
