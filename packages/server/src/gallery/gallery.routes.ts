import * as gallery from '@spaceport/contract/gallery';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { publicCache } from '../platform/http/public-cache.ts';
import { listPublicSpaces, toPublicSpace } from './gallery.ts';
import { describePage } from './oembed.ts';
import { readPublicEntries } from './public-entries.ts';
import { createSearchLimit } from './search-limit.ts';
import { readPublicPlayer, readPublicSpacePage } from './space-details.ts';

export function bindGallery(binder: Binder, platform: Platform): void {
  const { urls } = platform;
  const countSearch = createSearchLimit(platform);
  const answer = <Body>(body: Body) => ({ headers: publicCache(body), body });

  binder.bind(gallery.readGallery, async ({ query, address }) => {
    if (query.q?.trim()) countSearch(address);
    const { page, next } = await listPublicSpaces(platform, query);
    return answer({ spaces: page.map((view) => toPublicSpace(urls, view)), next });
  });

  binder.bind(gallery.readGallerySpace, async ({ params }) =>
    answer(await readPublicSpacePage(platform, params.slug)),
  );

  binder.bind(gallery.readGalleryPlayer, async ({ params }) =>
    answer(await readPublicPlayer(platform, params.slug, params.handle)),
  );

  binder.bind(gallery.readEntries, async ({ params, query }) =>
    answer(await readPublicEntries(platform, params, query)),
  );

  binder.bind(gallery.readOembed, async ({ query }) => answer(await describePage(platform, query)));
}
