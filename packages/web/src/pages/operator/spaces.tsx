import type { OwnSpace } from '@spaceport/contract/listing';
import { type SpaceState, spaceStates } from '@spaceport/contract/spaces';
import { useState } from 'preact/compat';
import { useQueryValue } from '../../app/address.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Table } from '../../ui/table.tsx';
import { TimeAgo } from '../../ui/text.tsx';
import { ListDialog } from './list-dialog.tsx';
import { Paged } from './paged.tsx';
import { Search } from './search.tsx';
import { SpaceActions } from './space-actions.tsx';
import { SpaceName, StateName } from './space-name.tsx';

/** Every space in every state, newest first. */
export function Spaces() {
  const [q, search] = useQueryValue('space', '');
  const [asked, choose] = useQueryValue('state', '');
  const [turn, setTurn] = useState(0);
  const [isListing, setListing] = useState(false);
  const state: SpaceState | undefined = spaceStates.find((each) => each === asked);
  return (
    <div className="stack">
      <div className="row row--apart">
        <div className="row">
          <Search label="Slug, title or owner" value={q} onSearch={search} />
          <Select
            label={<span className="said">State</span>}
            value={state ?? ''}
            options={[['', 'Every state'], ...spaceStates.map((each) => [each, each] as const)]}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        </div>
        <Button variant="plain" icon="plus" onClick={() => setListing(true)}>
          List a page
        </Button>
      </div>
      <Paged<OwnSpace>
        name={`${q}\n${asked}\n${turn}`}
        ask={async (cursor, signal) => {
          const query = {
            limit: 50,
            ...(q === '' ? {} : { q }),
            ...(state === undefined ? {} : { state }),
            ...(cursor === undefined ? {} : { cursor }),
          };
          const { spaces, next } = await client.readOperatorSpaces({ query }, { signal });
          return { items: spaces, next };
        }}
        empty={
          q === '' && state === undefined ? (
            <EmptyState icon="spark" title="No spaces yet">
              <p>What creators publish, and pages that are listed, are here in every state.</p>
            </EmptyState>
          ) : (
            <EmptyState icon="search" title="No such space">
              <p>Try another word, or every state.</p>
            </EmptyState>
          )
        }
      >
        {(spaces, replace) => (
          <Table
            label="Spaces"
            rows={spaces}
            keyOf={({ slug }) => slug}
            columns={[
              { title: 'Space', cell: (space) => <SpaceName space={{ ...space, state: 'listed' }} /> },
              {
                title: 'State',
                cell: (space) => <StateName state={space.state} isEmpty={isEmpty(space)} />,
              },
              {
                title: 'Runs',
                cell: (space) => <span className="quiet small cell-sentence">{whereOf(space)}</span>,
              },
              { title: 'Made', cell: ({ created_at }) => <TimeAgo at={created_at} /> },
            ]}
            actions={(space) => (
              <SpaceActions space={space} onChanged={(now) => replace(space, { ...space, ...now })} />
            )}
          />
        )}
      </Paged>
      {isListing && (
        <ListDialog
          onClose={() => setListing(false)}
          onListed={() => {
            setListing(false);
            setTurn(turn + 1);
          }}
        />
      )}
    </div>
  );
}

function isEmpty({ hosted, live_version }: OwnSpace): boolean {
  return hosted && live_version === null;
}

function whereOf({ hosted, live_version, url }: OwnSpace): string {
  if (!hosted) return url === null ? 'nowhere' : new URL(url).host;
  return live_version === null ? 'here, nothing live' : `here, version ${live_version}`;
}
