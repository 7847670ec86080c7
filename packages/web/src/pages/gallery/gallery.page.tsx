import type { GalleryData } from '@spaceport/contract/first-data';
import { galleryTitle } from '@spaceport/contract/labels';
import { maxPageSize } from '@spaceport/contract/listing';
import { useTitle } from '../../app/address.ts';
import type { PageProps } from '../../app/pages.ts';
import { client } from '../../data/client.ts';
import { useKeptPlace } from '../../data/use-kept-place.ts';
import { usePages } from '../../data/use-pages.ts';
import { LinkButton } from '../../ui/button.tsx';
import { MoreLink } from '../../ui/more-link.tsx';
import { SpaceCards } from '../../ui/space-card.tsx';
import { EmptyState, Main, Notice } from '../../ui/surfaces.tsx';
import { addressOf, isNarrowed, queryOf } from './asked.ts';
import { Filters } from './filters.tsx';
import './gallery.css';
import { Publish } from './publish.tsx';
import { SearchField } from './search-field.tsx';
import { useSearch } from './use-search.ts';

/** /: the gallery. Filters are links, and the search runs while one types. */
export default function GalleryPage({ data }: PageProps<'gallery'>) {
  const { asked, shown, busy, failure, search, enter } = useSearch(data);
  useTitle(galleryTitle(asked));
  const isEmpty = data.spaces.length === 0 && !isNarrowed(data);
  return (
    <Main>
      <div className="gallery-head">
        <h1>{isEmpty ? 'Ready for the first launch' : 'Play something'}</h1>
        {!isEmpty && (
          <>
            <SearchField asked={asked} onSearch={search} onEnter={enter} />
            <Filters asked={asked} />
          </>
        )}
      </div>
      {failure && <Notice tone="bad">{failure.text}</Notice>}
      {!isEmpty && (
        <div aria-busy={busy || undefined}>
          {shown.spaces.length === 0 ? (
            <NothingFound data={shown} />
          ) : (
            <Results key={addressOf(shown)} data={shown} />
          )}
          <p className="said" role="status">
            {shown !== data && describeCount(shown)}
          </p>
        </div>
      )}
      <Publish isFirst={isEmpty} />
    </Main>
  );
}

function describeCount({ spaces, next }: GalleryData): string {
  if (spaces.length === 1) return 'One space';
  return `${spaces.length}${next === null ? '' : ' or more'} spaces`;
}

function Results({ data }: { data: GalleryData }) {
  const pages = usePages({ items: data.spaces, next: data.next }, async (cursor, count) => {
    const limit = count === undefined ? {} : { limit: Math.min(count, maxPageSize) };
    const query = { ...queryOf(data), ...limit, cursor };
    const { spaces, next: after } = await client.readGallery({ query });
    return { items: spaces, next: after };
  });
  useKeptPlace(pages, data.spaces.length);
  const { items, next, busy, failure, more } = pages;
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

function NothingFound({ data: { q, tag } }: { data: GalleryData }) {
  const what = tag === null ? 'of this type' : `tagged #${tag}`;
  return (
    <EmptyState
      icon="search"
      title={q === '' ? `Nothing ${what} yet` : `Nothing has all the words of “${q}”`}
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
