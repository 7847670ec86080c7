import type { OwnContentItem } from '@spaceport/contract/content';
import { useState } from 'preact/compat';
import { client } from '../../../data/client.ts';
import { useAnswerKey } from '../../../data/use-answer-key.ts';
import { useLoad } from '../../../data/use-load.ts';
import { usePages } from '../../../data/use-pages.ts';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { nameOfMade } from '../../../ui/name-of-made.ts';
import { ShowMore } from '../../../ui/show-more.tsx';
import { Card, Skeleton } from '../../../ui/surfaces.tsx';
import { Table } from '../../../ui/table.tsx';
import { Badge, Bytes, Num, TimeAgo } from '../../../ui/text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { MadeDialog } from './made-dialog.tsx';

const views = [
  ['live', 'Live'],
  ['reported', 'Reported'],
  ['sandbox', 'Sandbox'],
] as const;
type View = (typeof views)[number][0];

interface MadeProps {
  readonly slug: string;
  readonly onBanned: () => void;
}

/** The items that players of a space have made, with actions on them. */
export function Made(props: MadeProps) {
  const [view, setView] = useState<View>('live');
  // Increases when an item was deleted.
  const [turn, setTurn] = useState(0);
  return (
    <Card
      title="Made by players"
      actions={<ChoiceRow label="Which" choices={views} chosen={view} onChoose={setView} />}
    >
      <MadeList key={`${view} ${turn}`} {...props} view={view} onGone={() => setTurn(turn + 1)} />
    </Card>
  );
}

interface ListProps extends MadeProps {
  readonly view: View;
  readonly onGone: () => void;
}

function MadeList(props: ListProps) {
  const { slug, view } = props;
  const first = useLoad(`${slug} ${view}`, (signal) => ask(slug, view, undefined, signal));
  const key = useAnswerKey(first.value);
  if (first.value === null)
    return first.error === null ? (
      <Skeleton height={6} />
    ) : (
      <ErrorState error={first.error} retry={first.reload} />
    );
  if (first.value.items.length === 0)
    return (
      <p className="quiet">
        {view === 'reported'
          ? 'Nothing is reported.'
          : 'Levels, ghosts or drawings that players publish from the space are listed here.'}
      </p>
    );
  return <Items key={key} {...props} first={first.value} />;
}

function Items({
  slug,
  view,
  first,
  onGone,
  onBanned,
}: ListProps & { first: Awaited<ReturnType<typeof ask>> }) {
  const pages = usePages(first, (cursor) => ask(slug, view, cursor));
  const [shown, setShown] = useState<OwnContentItem | null>(null);
  const [deleted, setDeleted] = useState<OwnContentItem | null>(null);
  const [banned, setBanned] = useState<string | null>(null);
  return (
    <div className="stack">
      <Table
        label="Table of what players made"
        rows={pages.items}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Title', cell: (item) => <MadeTitle {...item} /> },
          { title: 'Kind', cell: ({ kind }) => kind },
          { title: 'Player', cell: ({ handle }) => handle && <a href={`/@${handle}`}>@{handle}</a> },
          { title: 'Likes', number: true, cell: ({ likes }) => <Num value={likes} /> },
          { title: 'Size', number: true, cell: ({ bytes }) => <Bytes value={bytes} /> },
          { title: 'Published', cell: ({ created_at }) => <TimeAgo at={created_at} /> },
        ]}
        actions={(item) => (
          <Menu
            label={`Actions for ${nameOfMade(item)}`}
            items={[
              { label: 'Look at it', icon: 'search', onSelect: () => setShown(item) },
              { label: 'Delete it', icon: 'trash', danger: true, onSelect: () => setDeleted(item) },
              ...(item.handle === null || item.banned
                ? []
                : [
                    {
                      label: 'Ban the player',
                      icon: 'lock' as const,
                      danger: true,
                      onSelect: () => setBanned(item.handle),
                    },
                  ]),
            ]}
          />
        )}
      />
      <ShowMore pages={pages} />
      {shown !== null && <MadeDialog slug={slug} item={shown} onClose={() => setShown(null)} />}
      {deleted !== null && (
        <ConfirmDialog
          title={`Delete ${nameOfMade(deleted)}?`}
          action="Delete it"
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            await client.deleteOwnContent({ params: { slug, id: deleted.id } });
            showToast('It is deleted.');
            onGone();
          }}
        >
          <p>It is deleted for everyone, with its likes. This cannot be undone.</p>
        </ConfirmDialog>
      )}
      {banned !== null && (
        <BanDialog
          slug={slug}
          handle={banned}
          onClose={() => setBanned(null)}
          onChanged={() => {
            onBanned();
            onGone();
          }}
        />
      )}
    </div>
  );
}

function MadeTitle(item: OwnContentItem) {
  const { banned, reports } = item;
  return (
    <>
      {nameOfMade(item)}{' '}
      {reports > 0 && <Badge tone="warn">{reports === 1 ? 'reported' : `reported ×${reports}`}</Badge>}
      {banned && <Badge>player banned</Badge>}
    </>
  );
}

function ask(slug: string, view: View, cursor?: string, signal?: AbortSignal) {
  const query = {
    ...(view === 'sandbox' && { sandbox: 'true' as const }),
    ...(view === 'reported' && { reported: 'true' as const }),
    ...(cursor !== undefined && { cursor }),
  };
  return client.readOwnContent({ params: { slug }, query }, signal && { signal });
}
