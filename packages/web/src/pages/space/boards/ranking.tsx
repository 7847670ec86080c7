import { ApiError } from '@spaceport/client/api-error';
import type { Board } from '@spaceport/contract/boards';
import type { BoardEntries } from '@spaceport/contract/entries';
import type { StageData } from '@spaceport/contract/first-data';
import { readEntries } from '@spaceport/contract/gallery';
import { readPlayedScores } from '@spaceport/contract/player';
import { useState } from 'preact/compat';
import { caller } from '../../../data/caller.ts';
import { useLoad } from '../../../data/use-load.ts';
import { useRefresh } from '../../../data/use-refresh.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ErrorState } from '../../../ui/error-state.late.tsx';
import { focusFirstNew } from '../../../ui/focus-first-new.ts';
import { formatScore } from '../../../ui/score.ts';
import { Skeleton } from '../../../ui/surfaces.tsx';
import { Num, TimeAgo } from '../../../ui/text.tsx';
import { useMovingRows } from './use-moving-rows.ts';

/** Number of entries at first and after each «show more». */
const steps = [10, 25, 50, 100] as const;
/** Time after which the ranking is read again while the page is visible. */
const refreshMs = 30_000;
const rowRem = 2.5;
/** Number of rows whose space a board of players takes at least, as in space.css. */
const leastRows = 4;
/** Scores of more characters than this get a line of their own, below the name. */
const longestBesideName = 14;

export interface RankingProps {
  readonly stage: StageData;
  readonly board: Board;
  readonly period: Board['periods'][number];
  /** The handle whose neighbours are shown; null for the top. */
  readonly around: string | null;
  /** The reader's handle, whose row is highlighted. */
  readonly self: string | null;
  /**
   * Number of scores and unlocks since the page was opened. After a change the ranking is read past caches.
   */
  readonly wins: number;
}

/** One ranking of a board. */
export function Ranking({ stage, board, period, around, self, wins }: RankingProps) {
  const [step, setStep] = useState(0);
  const limit = steps[step] ?? 100;
  const isFresh = wins > 0 || stage.env === 'sandbox';
  const ranking = useLoad(`${limit} ${wins}`, (signal) =>
    entriesOf({ space: stage.space, key: board.key, period, around, limit, isFresh }, signal),
  );
  useRefresh(ranking, refreshMs);
  const { value, error, loading, reload } = ranking;
  const list = useMovingRows();
  if (value === null) {
    if (error !== null) return <ErrorState error={error} retry={reload} />;
    const least = board.trust === 'client' ? leastRows : 1;
    return <Skeleton height={Math.max(least, Math.min(limit, board.entries)) * rowRem} />;
  }
  if (value === 'not-there')
    return <Nobody board={board}>You are not in this ranking yet. Play, and you will be.</Nobody>;
  if (value.entries.length === 0)
    return <Nobody board={board}>Nobody is in this ranking yet. Be the first.</Nobody>;
  const scores = value.entries.map(({ score }) => formatScore(score, board));
  const isLong = scores.some((score) => score.length > longestBesideName);
  // «Show more» has failed. A refresh that fails says nothing: the entries stay, and it is repeated.
  const isShort = error !== null && value.next !== null && value.entries.length < limit;
  const hasMore = around === null && value.next !== null && step < steps.length - 1 && !isShort;
  return (
    <>
      <ol
        className={classNames(
          'ranking',
          isLong && 'ranking--long',
          board.trust === 'client' && 'ranking--played',
        )}
        style={{ '--rows': value.entries.length }}
        ref={list}
      >
        {value.entries.map(({ rank, handle, submitted_at }, at) => (
          <li key={handle} data-row={handle} aria-current={handle === self ? 'true' : undefined}>
            <span className="ranking-place">
              <Num value={rank} />
            </span>
            <a href={`/@${handle}`}>@{handle}</a>
            <span className="quiet ranking-when">
              <TimeAgo at={submitted_at} />
            </span>
            <span className="number ranking-score">{scores[at]}</span>
          </li>
        ))}
      </ol>
      <div className="row row--apart">
        <span className="quiet small">
          <Num value={value.total} /> {value.total === 1 ? 'player' : 'players'}
        </span>
        {hasMore && (
          <Button
            variant="quiet"
            size="small"
            busy={loading}
            onClick={(event) => {
              focusFirstNew(event);
              setStep(step + 1);
            }}
          >
            Show more
          </Button>
        )}
      </div>
      {isShort && <ErrorState error={error} retry={reload} />}
    </>
  );
}

/** An empty ranking, as high as its first rows will be. */
function Nobody({ board, children }: { board: Board; children: string }) {
  return (
    <p className={classNames('quiet small', board.trust === 'client' && 'ranking--played')}>{children}</p>
  );
}

type Entries = Pick<BoardEntries, 'total' | 'next'> & {
  readonly entries: readonly Omit<BoardEntries['entries'][number], 'submission'>[];
};

/** Returns the entries, or `not-there` for the neighbours of a player who is not in this ranking. */
async function entriesOf(
  asked: {
    space: string;
    key: string;
    period: string;
    around: string | null;
    limit: number;
    /** Whether to bypass the caches of browsers and proxies. */
    isFresh: boolean;
  },
  signal: AbortSignal,
): Promise<Entries | 'not-there'> {
  const { space, key, period, around, limit, isFresh } = asked;
  const query = { period, limit, ...(around === null ? {} : { around }) };
  try {
    return isFresh
      ? await caller.call(readPlayedScores, { query: { ...query, space, board: key } }, { signal })
      : await caller.call(readEntries, { params: { slug: space, key }, query }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_such_player') return 'not-there';
    throw error;
  }
}
