import type { OwnPlay, PublicPlay } from '@spaceport/contract/own-play';
import type { ReactNode } from 'preact/compat';
import { achievementTitle } from './achievement-title.ts';
import './play-lists.css';
import { formatScore } from './score.ts';
import { Card } from './surfaces.tsx';
import { Num, TimeAgo } from './text.tsx';

/** A player's ranks, board by board. */
export function Scores({ scores }: Pick<OwnPlay, 'scores'>) {
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

/** A player's achievements. */
export function Achievements({ achievements }: Pick<PublicPlay, 'achievements'>) {
  return (
    <Card title="Achievements">
      <Rows>
        {achievements.map(({ space, key, title, points, unlocked_at }) => (
          <li key={`${space.slug} ${key}`}>
            <div>
              <strong>{achievementTitle(title)}</strong>
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

export function Rows({ children }: { children: ReactNode }) {
  return <ul className="settings-rows play-rows">{children}</ul>;
}
