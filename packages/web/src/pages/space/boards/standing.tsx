import type { Board } from '@spaceport/contract/boards';
import { useViewer } from '../../../app/app.tsx';
import type { StageState } from '../../../stage/stage-state.ts';
import { Button } from '../../../ui/button.tsx';
import { formatScore } from '../../../ui/score.ts';
import { Badge, Num } from '../../../ui/text.tsx';

interface StandingProps {
  readonly board: Board;
  readonly played: StageState;
  readonly onSignIn: () => void;
}

/**
 * The player's rank after the last score, and the next rival. Its space is reserved before the first score.
 */
export function Standing({ board, played: { scored }, onSignIn }: StandingProps) {
  const viewer = useViewer();
  const isGuest = viewer === null;
  const isNamed = viewer !== null && viewer.handle !== null;
  const here = scored?.board === board.key ? scored : null;
  return (
    <div className="standing small" role="status">
      {here === null ? (
        <p className="quiet">
          {isGuest && 'You play as a guest: your scores do not count here.'}
          {isNamed && 'Play, and your place is shown here.'}
          {!isGuest && !isNamed && 'Your scores count once you have a handle.'}
        </p>
      ) : (
        <p>
          <span>
            {here.isRanked ? 'You are ' : 'You would be '}
            <strong>
              <Num value={here.result.rank} />
            </strong>
            {here.isRanked && (
              <>
                {' of '}
                <Num value={here.result.entries} />
              </>
            )}
            {' with '}
            <strong>{formatScore(here.result.best, board)}</strong>
          </span>
          {here.result.improved && <Badge tone="good">New best</Badge>}
          {here.result.next && (
            <span className="quiet standing-next">
              Next: <bdi>@{here.result.next.handle}</bdi>, {formatScore(here.result.next.score, board)}
            </span>
          )}
        </p>
      )}
      {!isNamed && (
        <Button variant="plain" size="small" onClick={onSignIn}>
          {isGuest ? 'Sign in' : 'Choose a handle'}
        </Button>
      )}
    </div>
  );
}
