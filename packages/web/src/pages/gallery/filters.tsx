import type { GalleryData } from '@spaceport/contract/first-data';
import { maxQueryLength } from '@spaceport/contract/gallery';
import { spaceTypeLabels } from '@spaceport/contract/labels';
import { spaceTypes } from '@spaceport/contract/spaces';
import { Icon } from '../../ui/icon.tsx';

type Asked = Pick<GalleryData, 'q' | 'spaceType' | 'sort'>;

/** Search, type and order. */
export function Filters({ asked }: { asked: Asked }) {
  return (
    <>
      <search>
        <form className="gallery-search" method="get" action="/">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            name="q"
            aria-label="Search"
            placeholder="Search"
            maxLength={maxQueryLength}
            defaultValue={asked.q}
          />
          {asked.spaceType !== null && <input type="hidden" name="space_type" value={asked.spaceType} />}
          {asked.sort !== 'new' && <input type="hidden" name="sort" value={asked.sort} />}
        </form>
      </search>
      <div className="gallery-filters">
        <nav className="choice-row" aria-label="Types">
          <Choice asked={asked} to={{ ...asked, spaceType: null }} text="All" />
          {spaceTypes.map((type) => (
            <Choice
              key={type}
              asked={asked}
              to={{ ...asked, spaceType: type }}
              text={spaceTypeLabels[type].many}
            />
          ))}
        </nav>
        <nav className="choice-row" aria-label="Order">
          <Choice asked={asked} to={{ ...asked, sort: 'new' }} text="New" />
          <Choice asked={asked} to={{ ...asked, sort: 'played' }} text="Most played" />
        </nav>
      </div>
    </>
  );
}

function Choice({ asked, to, text }: { asked: Asked; to: Asked; text: string }) {
  const isCurrent = asked.spaceType === to.spaceType && asked.sort === to.sort;
  return (
    <a href={addressOf(to)} aria-current={isCurrent || undefined}>
      {text}
    </a>
  );
}

/** The gallery's address for what is asked for, from `cursor` on where one is given. */
export function addressOf({ q, spaceType, sort }: Asked, cursor?: string): string {
  const query = new URLSearchParams();
  if (q !== '') query.set('q', q);
  if (spaceType !== null) query.set('space_type', spaceType);
  if (sort !== 'new') query.set('sort', sort);
  if (cursor !== undefined) query.set('cursor', cursor);
  return query.size === 0 ? '/' : `/?${query}`;
}
