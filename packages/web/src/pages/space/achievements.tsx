import type { StageData } from '@spaceport/contract/first-data';
import { type PublicAchievement, readGalleryPlayer } from '@spaceport/contract/gallery';
import { readPlayedAchievements } from '@spaceport/contract/player-progress';
import { useViewer } from '../../app/app.tsx';
import { caller } from '../../data/caller.ts';
import { useLoad } from '../../data/use-load.ts';
import { guestHeaders } from '../../stage/guest-key.ts';
import { achievementTitle } from '../../ui/achievement-title.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { Num } from '../../ui/text.tsx';

/** A list of more than this is folded, because all else of the page is below it. */
const longestList = 10;
const shownOfLong = 6;

interface AchievementsProps {
  readonly stage: StageData;
  readonly slug: string;
  readonly achievements: readonly PublicAchievement[];
  /** Number of scores and unlocks since the page was opened. */
  readonly wins: number;
  readonly isGuest: boolean;
}

/**
 * The achievements of a space, with the reader's unlocks marked. Creators' icons are on other hosts, which
 * our pages never call, so a cup is shown for each.
 */
export function Achievements({ stage, slug, achievements, wins, isGuest }: AchievementsProps) {
  const handle = useViewer()?.handle ?? null;
  const isFresh = wins > 0 || stage.env === 'sandbox';
  const { value: own } = useLoad(`${slug} ${handle} ${isGuest} ${wins}`, (signal) =>
    isFresh ? readPlayed(stage.space, isGuest, signal) : readOwn(slug, handle, signal),
  );
  const isFolded = achievements.length > longestList;
  const first = isFolded ? achievements.slice(0, shownOfLong) : achievements;
  const others = achievements.slice(first.length);
  const ownCount = achievements.filter(({ key }) => own?.has(key)).length;
  return (
    <Card
      title="Achievements"
      actions={
        ownCount > 0 && (
          <span className="quiet small">
            <Num value={ownCount} /> of <Num value={achievements.length} />
          </span>
        )
      }
    >
      <List achievements={first} own={own} />
      {isFolded && (
        <details className="achievements-more">
          <summary className="small">
            The other <Num value={others.length} />
          </summary>
          <List achievements={others} own={own} />
        </details>
      )}
    </Card>
  );
}

function List({
  achievements,
  own,
}: Pick<AchievementsProps, 'achievements'> & { own: ReadonlySet<string> | null }) {
  return (
    <ul className="achievements">
      {achievements.map(({ key, title, description, points, unlocks, hidden }) => {
        const isOwn = own?.has(key) ?? false;
        return (
          <li key={key} className={classNames(isOwn && 'achievement--own')}>
            <span className="achievement-icon">
              <Icon name={isOwn ? 'check' : hidden && title === null ? 'lock' : 'trophy'} />
            </span>
            <div>
              <strong>{achievementTitle(title)}</strong>
              {isOwn && <span className="said"> (you have it)</span>}
              <p className="quiet small">
                {description ?? (title === null ? 'Find out how to earn it.' : '')}
              </p>
            </div>
            <span className="quiet small achievement-count">
              {points > 0 && (
                <span>
                  <Num value={points} /> {points === 1 ? 'point' : 'points'}
                </span>
              )}
              <span>
                <Num value={unlocks} short /> {unlocks === 1 ? 'player' : 'players'}
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the keys of the reader's unlocks; empty if the reader is not signed in or has not played. */
async function readOwn(
  slug: string,
  handle: string | null,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (handle === null) return new Set();
  const { achievements } = await caller.call(readGalleryPlayer, { params: { slug, handle } }, { signal });
  return new Set(achievements.map(({ key }) => key));
}

/** Returns the keys of the current player's unlocks, also for a guest. */
async function readPlayed(
  space: string,
  isGuest: boolean,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const headers = isGuest ? guestHeaders() : {};
  const { achievements } = await caller.call(
    readPlayedAchievements,
    { query: { space } },
    { signal, headers },
  );
  return new Set(achievements.flatMap(({ key, unlocked_at }) => (unlocked_at === null ? [] : [key])));
}
