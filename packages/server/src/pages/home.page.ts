import type { GalleryData } from '@spaceport/contract/first-data';
import { sorts } from '@spaceport/contract/gallery';
import { galleryTitle } from '@spaceport/contract/labels';
import { spaceTypes, tagSchema } from '@spaceport/contract/spaces';
import { cardPicture } from '../gallery/card-picture.ts';
import { listPublicSpaces, showsOfList, toPublicSpace } from '../gallery/gallery.ts';
import { createSearchLimit } from '../gallery/search-limit.ts';
import type { Platform } from '../platform/context.ts';
import { type PageScope, publicDocument } from './page-scope.ts';

const shown = 24;
const maxQueryCharacters = 100;
const about = 'Games and other things to play and use in the browser, made by people and their agents.';

/** /: the gallery of the service, the newest or most played first, and how to publish. */
export function mountHome(scope: PageScope, platform: Platform): void {
  const countSearch = createSearchLimit(platform, 'pages');
  scope.get(
    '/',
    async ({ query, request }) => {
      const asked = readQuery(query);
      const { q, tag, spaceType, sort } = asked;
      if (q.trim() !== '') await countSearch(request.address);
      const { page, next } = await listPublicSpaces(platform, {
        q,
        ...(sort === null ? {} : { sort }),
        ...(tag === null ? {} : { tag }),
        limit: shown,
        ...(spaceType === null ? {} : { space_type: spaceType }),
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
      });
      const spaces = page.map((view) => toPublicSpace(platform.urls, view));
      const data: GalleryData = { ...asked, spaces, next };
      return {
        title: galleryTitle(asked),
        index: true,
        description: about,
        social: {
          canonical: `${platform.urls.app}/`,
          type: 'website',
          image: cardPicture(platform.urls.app),
        },
        headers: publicDocument,
        shows: showsOfList(page),
        client: { page: 'gallery', data },
      };
    },
    {
      cacheable: {
        query: ['q', 'tag', 'space_type', 'sort', 'cursor'],
        onRepeat: ['q'],
        ignoresOthers: true,
      },
    },
  );
}

type Asked = Pick<GalleryData, 'q' | 'tag' | 'spaceType' | 'sort'>;

/**
 * Reads the query of the address. Invalid values are ignored, so that an old or mistyped link still opens.
 */
function readQuery({ q = '', tag, space_type, sort }: Readonly<Record<string, string>>): Asked {
  return {
    q: q.slice(0, maxQueryCharacters),
    spaceType: spaceTypes.find((type) => type === space_type) ?? null,
    tag: tagSchema.safeParse(tag).data ?? null,
    sort: sorts.find((each) => each === sort) ?? null,
  };
}
