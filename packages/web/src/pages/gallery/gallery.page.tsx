import type { GalleryData } from '@spaceport/contract/first-data';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { usePages } from '../../data/use-pages.ts';
import { LinkButton } from '../../ui/button.tsx';
import { MoreLink } from '../../ui/more-link.tsx';
import { SpaceCards } from '../../ui/space-card.tsx';
import { EmptyState, Main, Notice } from '../../ui/surfaces.tsx';
import { addressOf, Filters } from './filters.tsx';
import './gallery.css';
import { Publish } from './publish.tsx';

/** /: the gallery. Filters are links, so that a view can be bookmarked and shared. */
export default function GalleryPage({ data }: PageProps<'gallery'>) {
  const isFiltered = data.q !== '' || data.spaceType !== null;
  const isEmpty = data.spaces.length === 0 && !isFiltered;
  return (
    <Main>
      <div className="gallery-head">
        <h1>{isEmpty ? 'Ready for the first launch' : 'Play something'}</h1>
        {!isEmpty && <Filters asked={data} />}
      </div>
      {isEmpty ? null : data.spaces.length === 0 ? <NothingFound data={data} /> : <Results data={data} />}
      <Publish isFirst={isEmpty} />
    </Main>
  );
}

function Results({ data }: { data: GalleryData }) {
  const { items, next, busy, failure, more } = usePages(
    { items: data.spaces, next: data.next },
    async (cursor) => {
      const { spaces, next: after } = await client.readGallery({ query: { ...queryOf(data), cursor } });
      return { items: spaces, next: after };
    },
  );
  return (
    <section aria-label="Spaces" className="stack stack--loose">
      <SpaceCards spaces={items} />
      {failure && <Notice tone="bad">{failure.text}</Notice>}
      {next !== null && (
        <div className="gallery-more">
          <MoreLink href={addressOf(data, next)} busy={busy} onMore={more} />
        </div>
      )}
      <p className="said" role="status">
        {items.length > data.spaces.length && `${items.length} spaces are shown`}
      </p>
    </section>
  );
}

function queryOf({ q, spaceType, sort }: GalleryData) {
  return { sort, ...(q === '' ? {} : { q }), ...(spaceType === null ? {} : { space_type: spaceType }) };
}

function NothingFound({ data: { q } }: { data: GalleryData }) {
  return (
    <EmptyState
      icon="search"
      title={q === '' ? 'Nothing of this type yet' : `Nothing has all the words of “${q}”`}
      actions={
        <LinkButton href="/" variant="plain">
          Show everything
        </LinkButton>
      }
    >
      <p>{q === '' ? 'Somebody has to make the first one.' : 'Try fewer words, or another type.'}</p>
    </EmptyState>
  );
}
