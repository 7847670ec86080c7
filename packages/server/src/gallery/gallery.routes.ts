import * as gallery from '@spaceport/contract/gallery';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { publicCache } from '../platform/http/public-cache.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { listPublicSpaces, showsOfList, toPublicSpace } from './gallery.ts';
import { describePage } from './oembed.ts';
import { readPublicEntries } from './public-entries.ts';
import { createSearchLimit } from './search-limit.ts';
import { readPublicPlayer, readPublicSpacePage } from './space-details.ts';

/**
 * Binds the public reads of spaces. Rankings around a player are not cached: they differ for each caller. A
 * search that the cache answers is not counted, because it costs no more than a list.
 */
export function bindGallery(binder: Binder, platform: Platform): void {
  const { urls } = platform;
  const countSearch = createSearchLimit(platform, 'the API');
  const answer = <Body>({ body, shows }: WithShown<Body>) => {
    const json = JSON.stringify(body);
    return { headers: publicCache(json), body, json, shows };
  };

  binder.bind(
    gallery.readGallery,
    async ({ query, address }) => {
      if (query.q?.trim()) await countSearch(address);
      const { page, next } = await listPublicSpaces(platform, query);
      const body = { spaces: page.map((view) => toPublicSpace(urls, view)), next };
      return answer({ body, shows: showsOfList(page) });
    },
    { cacheable: { query: ['q', 'tag', 'space_type', 'sort', 'cursor', 'limit'], onRepeat: ['q'] } },
  );

  binder.bind(
    gallery.readGallerySpace,
    async ({ params }) => answer(await readPublicSpacePage(platform, params.slug)),
    { cacheable: { query: [] } },
  );

  binder.bind(
    gallery.readGalleryPlayer,
    async ({ params }) => answer(await readPublicPlayer(platform, params.slug, params.handle)),
    { cacheable: { query: [] } },
  );

  binder.bindAhead(
    gallery.readEntries,
    async ({ params, query }) => answer(await readPublicEntries(platform, params, query)),
    { cacheable: { query: ['limit', 'period'] } },
  );

  binder.bind(gallery.readOembed, async ({ query }) => answer(await describePage(platform, query)), {
    cacheable: { query: ['url', 'format', 'maxwidth', 'maxheight'] },
  });
}
