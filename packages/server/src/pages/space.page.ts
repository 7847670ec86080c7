import { seatsFor } from '@spaceport/contract/fits';
import type { PublicSpace } from '@spaceport/contract/gallery';
import { pictureOf } from '@spaceport/contract/picture-of';
import type { Shown, SpacePages } from '../gallery/space-pages.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { type Html, html } from './html.ts';
import { pathWith } from './next-path.ts';
import { type PageDocument, type PageRequest, type PageScope, publicDocument } from './page-scope.ts';
import { tintOf } from './space-list.ts';

/** What the frame may do and use (contract §8). packages/web/src/ui/frame.tsx makes the same frame. */
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock allow-downloads';
const allowed = 'fullscreen; gamepad; autoplay; xr-spatial-tracking; screen-wake-lock; cross-origin-isolated';

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

const unclaimed = 'Unclaimed: somebody listed this page, and nobody has shown yet that it is theirs.';

function spacePage(shown: Shown, session: PageRequest['session'], app: string): PageDocument {
  const { space, frame, start, unlisted, expiresAt, ownerId } = shown;
  const { title, description, owner, how_made, service_url } = space;
  const isOwn = ownerId !== null && session?.creator.id === ownerId;
  return {
    title: owner === null ? title : `${title} by @${owner}`,
    wide: 'full',
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
    body: html`${stage(shown)}
<h1>${title}</h1>
${!space.claimed && !space.hosted && html`<p class="notice">${unclaimed}</p>`}
${owner !== null && html`<p class="quiet">by <a href="/@${owner}">@${owner}</a></p>`}
${isOwn && html`<p><a class="button plain" href="/dashboard/${space.slug}">Manage</a></p>`}
${frame !== null && html`<p class="quiet"><a href="${frame}" rel="noopener">Open it in its own tab</a></p>`}
${expiresAt !== null && html`<p class="notice">This page is not listed and ends on <time datetime="${expiresAt}">${expiresAt.slice(0, 10)}</time>. <a href="/claim">Claim it</a> to keep it.</p>`}
${description && html`<p class="text">${description}</p>`}
${how_made && html`<h2>How it was made</h2><p class="text">${how_made}</p>`}
${links(space)}`,
  };
}

/**
 * Where it starts by itself, its frame is made while the document is read (packages/web/src/early.ts); where a click starts
 * it, the page makes the frame then. Without script it is there from the beginning.
 */
function stage({ frame, space: { slug, title, devices }, start }: Shown): Html {
  if (frame === null) return html`<p class="notice">Nothing has been published here yet.</p>`;
  const plain = html`<noscript><iframe class="frame" title="${title}" src="${frame}" sandbox="${sandbox}" allow="${allowed}"></iframe></noscript>`;
  const early = html`<early-frame data-seats="${seatsFor(devices).join(' ')}" data-title="${title}" data-src="${frame}" data-sandbox="${sandbox}" data-allow="${allowed}"></early-frame>`;
  return html`<div class="space-stage"><div class="stage ${tintOf(slug)}">${start === 'auto' && early}${plain}</div></div>`;
}

function links({ page, source_url }: PublicSpace): Html | null {
  const all = [...page.links, ...(source_url === null ? [] : [{ label: 'Source', url: source_url }])];
  if (all.length === 0) return null;
  return html`<h2>Links</h2><ul>${all.map(({ label, url }) => html`<li><a href="${url}" rel="noopener nofollow ugc">${label}</a></li>`)}</ul>`;
}

function gonePage(why: string): PageDocument {
  return {
    status: 410,
    title: 'Gone',
    body: html`<h1>It is not here any more</h1><div class="card"><p>${why}</p><p><a href="/">See what else there is</a></p></div>`,
  };
}
