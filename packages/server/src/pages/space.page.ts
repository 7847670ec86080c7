import { pictureOf } from '@spaceport/contract/picture-of';
import type { Shown, SpacePages } from '../gallery/space-pages.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { gonePage } from './error-page.ts';
import { pathWith } from './next-path.ts';
import { type PageDocument, type PageRequest, type PageScope, publicDocument } from './page-scope.ts';

/** /s/{slug}: the space in its frame, with who made it and how. */
export function mountSpace(scope: PageScope, { urls }: Pick<Platform, 'urls'>, pages: SpacePages): void {
  scope.get('/s/:slug', async ({ params, session }) => {
    const found = await pages.find(params.slug ?? '');
    switch (found.is) {
      case 'moved':
        return { redirect: urls.page(found.slug) };
      case 'gone':
        return gonePage(found.why);
      case 'shown':
        return spacePage(found, session, urls.app);
      case 'unknown':
        throw new ServiceError('not_found', 'There is no page of that name.');
    }
  });
}

function spacePage(shown: Shown, session: PageRequest['session'], app: string): PageDocument {
  const { space, frame, start, unlisted, expiresAt, ownerId } = shown;
  const { title, description, owner, service_url } = space;
  const isOwn = ownerId !== null && session?.creator.id === ownerId;
  return {
    title: owner === null ? title : `${title} by @${owner}`,
    index: !unlisted,
    description: description || `${title}: play it in the browser.`,
    social: {
      canonical: service_url,
      type: 'website',
      image: pictureOf(space),
      ...(unlisted ? {} : { oembed: `${app}${pathWith('/oembed', { url: service_url, format: 'json' })}` }),
    },
    headers: publicDocument,
    frames: frame === null ? [] : [new URL(frame).origin],
    isolated: shown.isolated,
    client: { page: 'space', data: { space, frame, start, isOwn, expiresAt } },
  };
}
