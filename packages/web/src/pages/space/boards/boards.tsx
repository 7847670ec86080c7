import type { Board } from '@spaceport/contract/boards';
import { useState } from 'react';
import { useViewer } from '../../../app/app.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Ranking } from './ranking.tsx';

type Period = Board['periods'][number];

const periodLabels: Readonly<Record<Period, string>> = {
  all: 'All time',
  day: 'Today',
  week: 'This week',
  month: 'This month',
};

/** The boards of a space: one at a time, of the time that is chosen, from the top or around whoever looks. */
export function Boards({ slug, boards }: { slug: string; boards: readonly Board[] }) {
  const [key, setKey] = useState(boards[0]?.key ?? '');
  const board = boards.find((each) => each.key === key);
  if (!board) return null;
  if (boards.length === 1)
    return (
      <Card title={board.title}>
        <BoardView slug={slug} board={board} />
      </Card>
    );
  const tabs = boards.map((each) => ({ key: each.key, label: each.title }));
  return (
    <Card title="Boards">
      <Tabs label="Boards" tabs={tabs} selected={key} onSelect={setKey}>
        <BoardView key={key} slug={slug} board={board} />
      </Tabs>
    </Card>
  );
}

function BoardView({ slug, board }: { slug: string; board: Board }) {
  const handle = useViewer()?.handle ?? null;
  const [period, setPeriod] = useState<Period>(board.periods[0] ?? 'all');
  const [isAround, setAround] = useState(false);
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
            <div className="choice-row">
              <button type="button" aria-pressed={isAround} onClick={() => setAround(!isAround)}>
                Around me
              </button>
            </div>
          )}
        </div>
      )}
      <Ranking
        key={`${period} ${isAround}`}
        slug={slug}
        board={board}
        period={period}
        around={isAround ? handle : null}
        self={handle}
      />
    </div>
  );
}
