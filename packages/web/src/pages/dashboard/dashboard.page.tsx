import type { DashboardData } from '@spaceport/contract/first-data';
import { maxPageSize } from '@spaceport/contract/listing';
import { useState } from 'preact/compat';
import { useViewer } from '../../app/app.tsx';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useKeptPlace } from '../../data/use-kept-place.ts';
import { usePages } from '../../data/use-pages.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { KeptPages } from '../../ui/kept-pages.tsx';
import { MoreLink } from '../../ui/more-link.tsx';
import { FailureNotice } from '../../ui/refusal.tsx';
import { Main, Notice } from '../../ui/surfaces.tsx';
import './dashboard.css';
import { DeletedSpaces } from './deleted-spaces.tsx';
import { HowToPublish } from './how-to-publish.tsx';
import { ListPageDialog } from './list-page-dialog.tsx';
import { MySpaceCard } from './my-space-card.tsx';

/** /dashboard: the viewer's spaces, and how to publish. */
export default function DashboardPage({ data }: PageProps<'dashboard'>) {
  const [isListing, setListing] = useState(false);
  const handle = useViewer()?.handle ?? null;
  const isEmpty = data.spaces.length === 0;
  return (
    <Main>
      <div className="dashboard-head">
        <h1>{isEmpty ? 'Publish your first space' : 'Your spaces'}</h1>
        {handle !== null && (
          <div className="row">
            <Button variant="plain" icon="external" onClick={() => setListing(true)}>
              List a page
            </Button>
            <LinkButton href="/drop" icon="drop">
              Publish files
            </LinkButton>
          </div>
        )}
      </div>
      {handle === null && (
        <Notice
          tone="warn"
          actions={
            <LinkButton size="small" href="/handle?next=/dashboard">
              Choose a handle
            </LinkButton>
          }
        >
          Choose a handle first: it is the name that your spaces are published under.
        </Notice>
      )}
      <div className="stack stack--loose">
        <KeptPages />
        {isEmpty ? <HowToPublish /> : <Spaces data={data} />}
        <DeletedSpaces />
      </div>
      {isListing && <ListPageDialog onClose={() => setListing(false)} />}
    </Main>
  );
}

function Spaces({ data }: { data: DashboardData }) {
  const pages = usePages({ items: data.spaces, next: data.next }, async (cursor, count = 24) => {
    const limit = Math.min(count, maxPageSize);
    const { spaces, next: after } = await client.mySpaces({ query: { mine: '1', cursor, limit } });
    return { items: spaces, next: after };
  });
  useKeptPlace(pages, data.spaces.length);
  const { items, next, busy, failure, more } = pages;
  return (
    <section aria-label="Spaces" className="stack stack--loose">
      <ul className="spaces">
        {items.map((space) => (
          <MySpaceCard key={space.slug} space={space} />
        ))}
      </ul>
      <FailureNotice failure={failure} />
      {next !== null && (
        <div className="dashboard-more">
          <MoreLink href={`/dashboard?cursor=${encodeURIComponent(next)}`} busy={busy} onMore={more} />
        </div>
      )}
      <p className="said" role="status">
        {items.length > data.spaces.length && `${items.length} spaces are shown`}
      </p>
    </section>
  );
}
