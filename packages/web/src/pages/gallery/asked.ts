import type { GalleryData } from '@spaceport/contract/first-data';
import type { Sort } from '@spaceport/contract/gallery';

/** A query of the gallery. */
export type Asked = Pick<GalleryData, 'q' | 'tag' | 'spaceType' | 'sort'>;

/** Returns the order of the list. Without search words there is no best match. */
export function sortOf({ q, sort }: Asked): Sort {
  const isSearch = q.trim() !== '';
  if (sort === null || sort === 'best') return isSearch ? 'best' : 'new';
  return sort;
}

/** Returns whether the query excludes any space. */
export function isNarrowed({ q, tag, spaceType }: Asked): boolean {
  return q !== '' || tag !== null || spaceType !== null;
}

/** Returns the query of the API call. */
export function queryOf({ q, tag, spaceType, sort }: Asked) {
  return {
    ...(q === '' ? {} : { q }),
    ...(tag === null ? {} : { tag }),
    ...(spaceType === null ? {} : { space_type: spaceType }),
    ...(sort === null ? {} : { sort }),
  };
}

/** Returns the search text of an address's query. */
export function textIn(query: string): string {
  return new URLSearchParams(query).get('q') ?? '';
}

/** Returns the gallery's address for a query, from `cursor` on if given. */
export function addressOf(asked: Asked, cursor?: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...queryOf(asked), cursor }))
    if (value !== undefined) query.set(name, value);
  return query.size === 0 ? '/' : `/?${query}`;
}
