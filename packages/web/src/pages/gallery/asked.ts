import type { GalleryData } from '@spaceport/contract/first-data';
import type { Sort } from '@spaceport/contract/gallery';

/** What is asked of the gallery. */
export type Asked = Pick<GalleryData, 'q' | 'tag' | 'spaceType' | 'sort'>;

/** The order that the list has: without words nothing fits better than anything else. */
export function sortOf({ q, sort }: Asked): Sort {
  const isSearch = q.trim() !== '';
  if (sort === null || sort === 'best') return isSearch ? 'best' : 'new';
  return sort;
}

/** Is it less than everything? */
export function isNarrowed({ q, tag, spaceType }: Asked): boolean {
  return q !== '' || tag !== null || spaceType !== null;
}

/** The query of the call that asks for it. */
export function queryOf({ q, tag, spaceType, sort }: Asked) {
  return {
    ...(q === '' ? {} : { q }),
    ...(tag === null ? {} : { tag }),
    ...(spaceType === null ? {} : { space_type: spaceType }),
    ...(sort === null ? {} : { sort }),
  };
}

/** The gallery's address for what is asked for, from `cursor` on where one is given. */
export function addressOf(asked: Asked, cursor?: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...queryOf(asked), cursor }))
    if (value !== undefined) query.set(name, value);
  return query.size === 0 ? '/' : `/?${query}`;
}
