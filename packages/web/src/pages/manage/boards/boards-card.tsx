import type { Board } from '@spaceport/contract/boards';
import { maxBoards } from '@spaceport/contract/declarations';
import { client } from '../../../data/client.ts';
import { EmptyState } from '../../../ui/surfaces.tsx';
import { Badge, Num } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { BoardDialog } from './board-dialog.tsx';
import { DeclaredCard } from './declared-card.tsx';
import { periodLabels } from './labels.ts';

/** The boards of a space, one per line. */
export function BoardsCard({
  slug,
  boards,
  onChanged,
}: {
  slug: string;
  boards: readonly Board[];
  onChanged: () => void;
}) {
  return (
    <DeclaredCard
      title="Boards"
      kind="a board"
      max={maxBoards}
      items={boards}
      empty={
        <EmptyState icon="trophy" title="No boards yet" level={3}>
          <p>A board ranks players by the scores they post. Add one here, or declare it in service.json.</p>
        </EmptyState>
      }
      nameOf={({ title }) => title}
      columns={[
        {
          title: 'Board',
          cell: ({ key, title }) => (
            <>
              {title} <code className="quiet">{key}</code>
            </>
          ),
        },
        {
          title: 'Ranks',
          cell: (board) => <span className="cell-sentence">{describeRanking(board)}</span>,
        },
        { title: 'Players', number: true, cell: ({ entries }) => <Num value={entries} /> },
        {
          title: 'Set in',
          cell: ({ source }) => (
            <Badge>{source === 'page' ? 'The page or service.json' : 'Here or the API'}</Badge>
          ),
        },
      ]}
      edit={(board, onClose) => (
        <BoardDialog
          slug={slug}
          board={board}
          taken={boards.map(({ key }) => key)}
          onClose={onClose}
          onSaved={onChanged}
        />
      )}
      onDelete={async ({ key }) => {
        const { entries } = await client.deleteBoard({ params: { slug, key } });
        showToast(`Deleted, with the scores of ${entries} ${entries === 1 ? 'player' : 'players'}.`);
        onChanged();
      }}
      whatIsLost={({ entries, source }) => (
        <>
          <p>
            Every score on it is lost, in the sandbox too: those of{' '}
            <strong>
              <Num value={entries} /> {entries === 1 ? 'player' : 'players'}
            </strong>
            . This cannot be undone.
          </p>
          {source === 'page' && (
            <p>
              Your page declares it: remove it there too, or the next sync or publish brings it back, empty.
            </p>
          )}
        </>
      )}
    />
  );
}

function describeRanking({ sort, keep, periods, trust }: Board): string {
  const order = sort === 'asc' ? 'Less is better' : 'More is better';
  const kept = { best: 'best score', last: 'last score', sum: 'sum of scores' }[keep];
  const when = periods.map((period) => periodLabels[period].toLowerCase()).join(', ');
  return `${order}, ${kept}; ${when}${trust === 'server' ? '; server only' : ''}`;
}
