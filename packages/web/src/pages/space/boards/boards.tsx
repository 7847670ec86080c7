import type { Board } from '@spaceport/contract/boards';
import type { StageData } from '@spaceport/contract/first-data';
import { useEffect, useState } from 'preact/compat';
import { useViewer } from '../../../app/app.tsx';
import type { StageState } from '../../../stage/stage-state.ts';
import { Card } from '../../../ui/surfaces.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Ranking } from './ranking.tsx';
import { Standing } from './standing.tsx';

type Period = Board['periods'][number];

/** Short, so that all of them are in one line beside the text of a space. */
const periodLabels: Readonly<Record<Period, string>> = {
  all: 'All time',
  day: 'Today',
  week: 'Week',
  month: 'Month',
};

interface BoardsProps {
  readonly stage: StageData;
  readonly boards: readonly Board[];
  readonly played: StageState;
  readonly onSignIn: () => void;
}

/**
 * The boards of a space, one at a time: in the chosen window, from the top or around the reader. A score that
 * is counted while the page is open switches to its board and moves the rows.
 */
export function Boards({ stage, boards, played, onSignIn }: BoardsProps) {
  const [key, setKey] = useState(boards[0]?.key ?? '');
  const { scored } = played;
  useEffect(() => {
    if (scored !== null) setKey(scored.board);
  }, [scored]);
  const board = boards.find((each) => each.key === key) ?? boards[0];
  if (!board) return null;
  const view = <BoardView key={board.key} stage={stage} board={board} played={played} onSignIn={onSignIn} />;
  if (boards.length === 1) return <Card title={board.title}>{view}</Card>;
  const tabs = boards.map((each) => ({ key: each.key, label: each.title }));
  return (
    <Card title="Boards">
      <Tabs label="Boards" tabs={tabs} selected={board.key} onSelect={setKey}>
        {view}
      </Tabs>
    </Card>
  );
}

function BoardView({ stage, board, played, onSignIn }: Omit<BoardsProps, 'boards'> & { board: Board }) {
  const handle = useViewer()?.handle ?? null;
  const [period, setPeriod] = useState<Period>(board.periods[0] ?? 'all');
  const [isAround, setAround] = useState(false);
  const around = isAround ? handle : null;
  return (
    <div className="board">
      {(board.periods.length > 1 || handle !== null) && (
        <div className="row row--apart">
          <fieldset className="choice-row" aria-label="Time">
            {board.periods.length > 1 &&
              board.periods.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={each === period}
                  onClick={() => setPeriod(each)}
                >
                  {periodLabels[each]}
                </button>
              ))}
          </fieldset>
          {handle !== null && (
            <div className="choice-row board-around">
              <button type="button" aria-pressed={isAround} onClick={() => setAround(!isAround)}>
                Around me
              </button>
            </div>
          )}
        </div>
      )}
      <Ranking
        key={`${period} ${around}`}
        stage={stage}
        board={board}
        period={period}
        around={around}
        self={handle}
        wins={played.wins}
      />
      {/* For boards that the page's players post to: the player's own place, below the ranking. */}
      {board.trust === 'client' && <Standing board={board} played={played} onSignIn={onSignIn} />}
    </div>
  );
}
