import { ApiError } from '@spaceport/client/api-error';
import type { Board } from '@spaceport/contract/boards';
import type { BoardEntries } from '@spaceport/contract/entries';
import { useEffect, useState } from 'react';
import { client } from '../../../data/client.ts';
import { useLoad } from '../../../data/use-load.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { formatScore } from '../../../ui/score.ts';
import { Skeleton } from '../../../ui/surfaces.tsx';
import { Num, TimeAgo } from '../../../ui/text.tsx';

/** How many are shown, and after each «show more». */
const steps = [10, 25, 50, 100] as const;
/** New scores appear while the page is looked at. */
const refreshMs = 30_000;
const rowRem = 2.5;

export interface RankingProps {
  readonly slug: string;
  readonly board: Board;
  readonly period: Board['periods'][number];
  /** The handle whose neighbours are shown; null for the top. */
  readonly around: string | null;
  /** Who looks: their row stands out. */
  readonly self: string | null;
}

/** One ranking of a board. */
export function Ranking({ slug, board, period, around, self }: RankingProps) {
  const [step, setStep] = useState(0);
  const limit = steps[step] ?? 100;
  const { value, error, loading, reload } = useLoad(String(limit), (signal) =>
    readEntries({ slug, key: board.key, period, around, limit }, signal),
  );
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  if (value === null) {
    if (error !== null) return <ErrorState error={error} retry={reload} />;
    return <Skeleton height={Math.max(1, Math.min(limit, board.entries)) * rowRem} />;
  }
  if (value === 'not-there')
    return <p className="quiet small">You are not in this ranking yet. Play, and you will be.</p>;
  if (value.entries.length === 0)
    return <p className="quiet small">Nobody is in this ranking yet. Be the first.</p>;
  const hasMore = around === null && value.next !== null && step < steps.length - 1;
  return (
    <>
      <ol className="ranking">
        {value.entries.map(({ rank, handle, score, submitted_at }) => (
          <li key={handle} aria-current={handle === self ? 'true' : undefined}>
            <span className="ranking-place">
              <Num value={rank} />
            </span>
            <a href={`/@${handle}`}>@{handle}</a>
            <span className="quiet small ranking-when">
              <TimeAgo at={submitted_at} />
            </span>
            <span className="number ranking-score">{formatScore(score, board)}</span>
          </li>
        ))}
      </ol>
      <div className="row row--apart">
        <span className="quiet small">
          <Num value={value.total} /> {value.total === 1 ? 'player' : 'players'}
        </span>
        {hasMore && (
          <Button variant="quiet" size="small" busy={loading} onClick={() => setStep(step + 1)}>
            Show more
          </Button>
        )}
      </div>
    </>
  );
}

/** `not-there` for the neighbours of somebody who is not in this ranking. */
async function readEntries(
  asked: { slug: string; key: string; period: string; around: string | null; limit: number },
  signal: AbortSignal,
): Promise<BoardEntries | 'not-there'> {
  const { slug, key, period, around, limit } = asked;
  try {
    return await client.readEntries(
      {
        params: { slug, key },
        query: { period, limit, ...(around === null ? {} : { around }) },
      },
      { signal },
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_such_player') return 'not-there';
    throw error;
  }
}
