import type { Board } from '@spaceport/contract/boards';
import { maxBoards } from '@spaceport/contract/declarations';
import { useState } from 'react';
import { client } from '../../../data/client.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Card, EmptyState } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Badge, Num } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { BoardDialog } from './board-dialog.tsx';
import { periodLabels } from './labels.ts';

/** The boards of a space: a line each. */
export function BoardsCard({
  slug,
  boards,
  onChanged,
}: {
  slug: string;
  boards: readonly Board[];
  onChanged: () => void;
}) {
  const [edited, setEdited] = useState<Board | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Board | null>(null);
  const isFull = boards.length >= maxBoards;
  return (
    <Card
      title="Boards"
      actions={
        <>
          <span className="quiet small">
            {boards.length} of {maxBoards}
          </span>
          <Button size="small" variant="plain" icon="plus" disabled={isFull} onClick={() => setEdited('new')}>
            Add a board
          </Button>
        </>
      }
    >
      {boards.length === 0 ? (
        <EmptyState icon="trophy" title="No boards yet" level={3}>
          <p>A board ranks players by the scores they post. Add one here, or declare it in service.json.</p>
        </EmptyState>
      ) : (
        <Table
          label="Boards"
          rows={boards}
          keyOf={({ key }) => key}
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
            {
              title: <span className="said">Actions</span>,
              number: true,
              cell: (board) => (
                <Menu
                  label={`Actions for ${board.title}`}
                  items={[
                    { label: 'Edit', onSelect: () => setEdited(board) },
                    { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setDeleted(board) },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {edited !== null && (
        <BoardDialog
          slug={slug}
          board={edited === 'new' ? null : edited}
          taken={boards.map(({ key }) => key)}
          onClose={() => setEdited(null)}
          onSaved={onChanged}
        />
      )}
      {deleted !== null && (
        <ConfirmDialog
          title={`Delete the board ${deleted.title}?`}
          action="Delete the board"
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            const { entries } = await client.deleteBoard({ params: { slug, key: deleted.key } });
            showToast(`Deleted, with the scores of ${entries} ${entries === 1 ? 'player' : 'players'}.`);
            onChanged();
          }}
        >
          <div className="stack stack--tight">
            <p>
              Every score on it is lost, in the sandbox too: those of{' '}
              <strong>
                <Num value={deleted.entries} /> {deleted.entries === 1 ? 'player' : 'players'}
              </strong>
              . It cannot be undone.
            </p>
            {deleted.source === 'page' && (
              <p>
                Your page declares it: take it out there too, or the next sync or publish brings it back,
                empty.
              </p>
            )}
          </div>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function describeRanking({ sort, keep, periods, trust }: Board): string {
  const order = sort === 'asc' ? 'Less is better' : 'More is better';
  const kept = { best: 'best score', last: 'last score', sum: 'sum of scores' }[keep];
  const when = periods.map((period) => periodLabels[period].toLowerCase()).join(', ');
  return `${order}, ${kept}; ${when}${trust === 'server' ? '; server only' : ''}`;
}
