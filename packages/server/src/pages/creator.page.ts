import type { CreatorData } from '@spaceport/contract/first-data';
import { pictureOf } from '@spaceport/contract/picture-of';
import { cardPicture } from '../gallery/card-picture.ts';
import { listPublicSpacesOf } from '../gallery/gallery.ts';
import { readPublicPlay } from '../own-play/read-public-play.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { type PageScope, publicDocument } from './page-scope.ts';

/** /@{handle}: a creator, their spaces, and their scores and achievements, if they show these to others. */
export function mountCreator(scope: PageScope, platform: Platform): void {
  scope.get(
    '/@:handle',
    async ({ params }) => {
      const handle = params.handle?.toLowerCase() ?? '';
      const found = await listPublicSpacesOf(platform, handle);
      if (!found) throw new ServiceError('not_found', 'There is no creator with this name.');
      const { id, name, spaces } = found;
      const since = toTimestamp(found.createdAt);
      const played = await readPublicPlay(platform, id);
      const data: CreatorData = { handle, name, since, spaces, played: played?.body ?? null };
      return {
        title: name === handle ? `@${handle}` : `${name} (@${handle})`,
        index: true,
        description: `What @${handle} has made: ${spaces.length === 0 ? 'nothing is listed yet' : spaces.map(({ title }) => title).join(', ')}.`,
        social: {
          canonical: platform.urls.creator(handle),
          type: 'profile',
          image: spaces.map(pictureOf).find((picture) => picture !== null) ?? cardPicture(platform.urls.app),
        },
        headers: publicDocument,
        // Every space on the page has this owner, so the tag of the person covers the owner's name.
        shows: ['spaces', `person:${id}`, `played:${id}`, ...(played?.shows ?? [])],
        client: { page: 'creator', data },
      };
    },
    { cacheable: { query: [], ignoresOthers: true } },
  );
}
