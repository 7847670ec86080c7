import { previewPrefix } from '@spaceport/contract/content-labels';
import type { KnownPlayer, SpaceData } from '@spaceport/contract/first-data';
import { frameOpenedWith, handedParameter } from '@spaceport/contract/invitation';
import { pictureOf } from '@spaceport/contract/picture-of';
import { cardPicture } from '../gallery/card-picture.ts';
import type { Shown, SpacePages } from '../gallery/space-pages.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { embedderPolicyFor } from '../platform/http/embedder-policy.ts';
import type { Players } from '../players/players.ts';
import { describedSpace } from './described-space.ts';
import { gonePage } from './error-page.ts';
import { pathWith } from './next-path.ts';
import { type PageDocument, type PageRequest, type PageScope, publicDocument } from './page-scope.ts';

/** /s/{slug} and /preview/{label}: the space in its frame, with its creator and how it was made. */
export function mountSpace(
  scope: PageScope,
  { urls }: Pick<Platform, 'urls'>,
  pages: SpacePages,
  players: Players,
): void {
  const viewedBy = async (session: PageRequest['session'], { id }: Shown): Promise<Viewing> => {
    if (session === null) return { accountId: null, playsAs: null };
    const { id: playerId, handle } = session.creator;
    const account = { kind: 'account', playerId, handle } as const;
    return { accountId: playerId, playsAs: await players.identify(account, { spaceId: id }) };
  };

  scope.get(
    '/s/:slug',
    async ({ params, query, session, request }) => {
      const { slug: spelled = '' } = params;
      const slug = spelled.toLowerCase();
      const found = await pages.find(slug, session?.creator.id ?? null);
      if (slug !== spelled && found.is !== 'unknown')
        return { redirect: urls.page(slug) + queryOf(request.originalUrl), permanent: true };
      switch (found.is) {
        case 'moved':
          // The query is kept, because it may have a room's code or an invitation.
          return { redirect: urls.page(found.slug) + queryOf(request.originalUrl) };
        case 'gone':
          return gonePage(found);
        case 'shown':
          return spacePage(openedWith(found, query), await viewedBy(session, found), urls);
        case 'unknown':
          throw nothingThere();
      }
    },
    {
      cacheable: {
        query: [],
        never: [handedParameter],
        ignoresOthers: true,
        variant: (headers) => embedderPolicyFor(headers['user-agent']),
      },
    },
  );
  scope.get('/preview/:label', async ({ params, query, session }) => {
    const label = params.label ?? '';
    // Other labels of the preview host have pages of their own.
    const found = label.startsWith(previewPrefix) ? await pages.findPreview(label) : null;
    if (found?.is === 'gone') return gonePage(found);
    if (found?.is !== 'shown') throw nothingThere();
    return previewPage(openedWith(found, query), await viewedBy(session, found));
  });
}

/** Adds the invitation's query to the frame's address, but not for a page that runs elsewhere. */
function openedWith(shown: Shown, query: PageRequest['query']): Shown {
  if (shown.frame === null || !shown.space.hosted) return shown;
  return { ...shown, frame: frameOpenedWith(shown.frame, query[handedParameter]) };
}

/** Returns the query with its question mark; empty if there is none. */
function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
}

function nothingThere(): ServiceError {
  return new ServiceError('not_found', 'There is no page with this name, or nothing is published there yet.');
}

/** The visitor's account, null without one, and who it is in the space. */
interface Viewing {
  readonly accountId: AccountId | null;
  readonly playsAs: KnownPlayer | null;
}

function spacePage(shown: Shown, viewing: Viewing, { app, creator }: Platform['urls']): PageDocument {
  const { space, unlisted } = shown;
  const { title, description, owner, service_url } = space;
  return {
    title: owner === null ? title : `${title} by @${owner}`,
    index: !unlisted,
    description: description || `${title}: play it in the browser.`,
    social: {
      canonical: service_url,
      type: 'website',
      image: pictureOf(space) ?? cardPicture(app),
      ...(unlisted ? {} : { oembed: `${app}${pathWith('/oembed', { url: service_url, format: 'json' })}` }),
    },
    ...(!unlisted && shown.frame !== null && { described: describedSpace(space, creator) }),
    headers: shown.isolated ? { ...publicDocument, vary: 'user-agent' } : publicDocument,
    ...(shown.shows && { shows: shown.shows }),
    ...framing(shown),
    client: { page: 'space', data: dataOf(shown, viewing, false) },
  };
}

/**
 * Returns the page of a preview. Search engines may not list it, and browsers may not cache it beyond its
 * end.
 */
function previewPage(shown: Shown, viewing: Viewing): PageDocument {
  return {
    title: `${shown.space.title}, version ${shown.stage.version}`,
    index: false,
    headers: { 'x-robots-tag': 'noindex' },
    ...framing(shown),
    client: { page: 'space', data: dataOf(shown, viewing, true) },
  };
}

function framing({ frame, isolated }: Shown): Pick<PageDocument, 'frames' | 'isolated'> {
  return { frames: frame === null ? [] : [new URL(frame).origin], isolated };
}

function dataOf(shown: Shown, { accountId, playsAs }: Viewing, isPreview: boolean): SpaceData {
  const { space, stage, frame, start, expiresAt, ownerId } = shown;
  const isOwn = ownerId !== null && accountId === ownerId;
  return { space, stage, frame, start, playsAs, isOwn, isPreview, expiresAt };
}
