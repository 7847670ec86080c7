import type { Board } from '@spaceport/contract/boards';
import type { BoardEntries, BoardEntry } from '@spaceport/contract/entries';
import { useState } from 'preact/compat';
import { useQueryValue } from '../../../app/address.ts';
import { useAnswerKey } from '../../../data/use-answer-key.ts';
import { useLoad } from '../../../data/use-load.ts';
import { usePages } from '../../../data/use-pages.ts';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { formatScore } from '../../../ui/score.ts';
import { ShowMore } from '../../../ui/show-more.tsx';
import { Card, EmptyState, Skeleton } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Num, TimeAgo } from '../../../ui/text.tsx';
import { periodLabels } from '../boards/labels.ts';
import { BanDialog } from './ban-dialog.tsx';
import { DeleteScoreDialog } from './delete-score-dialog.tsx';
import { Replays } from './replays.tsx';
import { askEntries, nameOf, type ShownEntries, shownOf } from './shown-entries.ts';

const envs = [
  ['live', 'Live'],
  ['sandbox', 'Sandbox'],
] as const;

/** The ranking of a board, live or of the sandbox, with actions on its players. */
export function Standings({
  slug,
  boards,
  first,
  onBanned,
}: {
  slug: string;
  boards: readonly Board[];
  /** The ranking that was loaded with the boards, with its name. */
  first: { key: string; value: BoardEntries } | null;
  onBanned: () => void;
}) {
  const [key, setKey] = useQueryValue('board', '');
  const [asked, setPeriod] = useQueryValue('period', '');
  const [env, setEnv] = useQueryValue('env', 'live');
  // Increases when a score was deleted here.
  const [turn, setTurn] = useState(0);
  const query = new Map([
    ['board', key],
    ['period', asked],
    ['env', env],
  ]);
  const shown = shownOf(slug, boards, { get: (name) => query.get(name) ?? null });
  if (!shown)
    return (
      <Card title="Standings">
        <EmptyState icon="trophy" title="No boards yet" level={3}>
          <p>Players appear here once the space has a board and somebody has posted a score.</p>
        </EmptyState>
      </Card>
    );
  const { board, period, sandbox } = shown;
  return (
    <Card
      title="Standings"
      actions={
        <ChoiceRow label="Data" choices={envs} chosen={sandbox ? 'sandbox' : 'live'} onChoose={setEnv} />
      }
    >
      <div className="stack">
        <div className="row">
          <Select
            label="Board"
            value={board.key}
            options={boards.map((each) => [each.key, each.title] as const)}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
          />
          {board.periods.length > 1 && (
            <Select
              label="Ranking"
              value={period}
              options={board.periods.map((each) => [each, periodLabels[each]] as const)}
              onChange={({ currentTarget }) => setPeriod(currentTarget.value)}
            />
          )}
        </div>
        <FirstEntries
          key={`${nameOf(shown)} ${turn}`}
          asked={shown}
          first={turn === 0 && first?.key === nameOf(shown) ? first.value : null}
          onDeleted={() => setTurn((before) => before + 1)}
          onBanned={onBanned}
        />
        <Replays key={`${board.key} ${sandbox} ${turn}`} asked={shown} />
      </div>
    </Card>
  );
}

interface ListProps {
  readonly asked: ShownEntries;
  readonly onDeleted: () => void;
  readonly onBanned: () => void;
}

function FirstEntries({ first, ...props }: ListProps & { first: BoardEntries | null }) {
  const { value, error, reload } = useLoad(
    'first',
    (signal) => askEntries(props.asked, undefined, signal),
    first,
  );
  const key = useAnswerKey(value);
  if (value === null)
    return error === null ? <Skeleton height={12} /> : <ErrorState error={error} retry={reload} />;
  if (value.entries.length === 0)
    return (
      <p className="quiet">
        {props.asked.sandbox ? 'Nobody has posted a score in the sandbox.' : 'Nobody has posted a score yet.'}
      </p>
    );
  return (
    <Entries key={key} {...props} first={{ items: value.entries, next: value.next }} total={value.total} />
  );
}

function Entries({
  asked,
  first,
  total,
  onDeleted,
  onBanned,
}: ListProps & { first: { items: readonly BoardEntry[]; next: string | null }; total: number }) {
  const pages = usePages(first, async (cursor) => {
    const { entries, next } = await askEntries(asked, cursor);
    return { items: entries, next };
  });
  const [deleted, setDeleted] = useState<BoardEntry | null>(null);
  const [banned, setBanned] = useState<string | null>(null);
  const { board, slug } = asked;
  return (
    <div className="stack">
      <p className="small quiet">
        <Num value={total} /> {total === 1 ? 'player' : 'players'}
      </p>
      <Table
        label={`Standings of ${board.title}`}
        rows={pages.items}
        keyOf={({ handle }) => handle}
        columns={[
          { title: 'Rank', number: true, cell: ({ rank }) => <Num value={rank} /> },
          { title: 'Player', cell: ({ handle }) => <a href={`/@${handle}`}>@{handle}</a> },
          { title: 'Score', number: true, cell: ({ score }) => formatScore(score, board) },
          { title: 'Posted', cell: ({ submitted_at }) => <TimeAgo at={submitted_at} /> },
        ]}
        actions={(entry) => (
          <Menu
            label={`Actions for @${entry.handle}`}
            items={[
              {
                label: 'Delete this score',
                icon: 'trash',
                danger: true,
                onSelect: () => setDeleted(entry),
              },
              {
                label: 'Ban the player',
                icon: 'lock',
                danger: true,
                onSelect: () => setBanned(entry.handle),
              },
            ]}
          />
        )}
      />
      <ShowMore pages={pages} />
      {deleted !== null && (
        <DeleteScoreDialog
          slug={slug}
          board={board}
          entry={deleted}
          onClose={() => setDeleted(null)}
          onDeleted={onDeleted}
        />
      )}
      {banned !== null && (
        <BanDialog slug={slug} handle={banned} onClose={() => setBanned(null)} onChanged={onBanned} />
      )}
    </div>
  );
}
