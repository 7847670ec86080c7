import type { Shown, SpacePages } from '../gallery/space-pages.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { type Html, html } from './html.ts';
import type { PageDocument, PageScope } from './page-scope.ts';

/** What the frame may do and use (contract §8). */
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock allow-downloads';
const allowed = 'fullscreen; gamepad; autoplay; xr-spatial-tracking; screen-wake-lock; cross-origin-isolated';

/** /s/{slug}: the space in its frame, with who made it and how. */
export function mountSpace(scope: PageScope, { urls }: Pick<Platform, 'urls'>, pages: SpacePages): void {
  scope.get('/s/:slug', async ({ params }) => {
    const found = await pages.find(params.slug ?? '');
    switch (found.is) {
      case 'moved':
        return { redirect: urls.page(found.slug) };
      case 'gone':
        return gonePage(found.why);
      case 'shown':
        return spacePage(found);
      case 'unknown':
        throw new ServiceError('not_found', 'There is no such page.');
    }
  });
}

function spacePage(space: Shown): PageDocument {
  return {
    title: space.title,
    wide: true,
    index: !space.unlisted,
    description: space.description ?? undefined,
    frames: space.frame === null ? [] : [new URL(space.frame).origin],
    isolated: space.isolated,
    body: html`<h1>${space.title}</h1>
${space.owner !== null && html`<p class="quiet">by <a href="/@${space.owner}">@${space.owner}</a></p>`}
${frameOf(space)}
${space.expiresAt !== null && html`<p class="notice">This page is not listed and ends on <time datetime="${space.expiresAt}">${space.expiresAt.slice(0, 10)}</time>. <a href="/claim">Claim it</a> to keep it.</p>`}
${space.description && html`<p class="text">${space.description}</p>`}
${space.howMade && html`<h2>How it was made</h2><p class="text">${space.howMade}</p>`}`,
  };
}

function frameOf({ frame, title }: Shown): Html {
  if (frame === null) return html`<p class="notice">Nothing has been published here yet.</p>`;
  return html`<iframe class="space" title="${title}" src="${frame}" sandbox="${sandbox}" allow="${allowed}"></iframe>
<p class="quiet"><a href="${frame}" rel="noopener">Open it alone</a></p>`;
}

function gonePage(why: string): PageDocument {
  return {
    status: 410,
    title: 'Gone',
    body: html`<h1>It is not here any more</h1><div class="card"><p>${why}</p><p><a href="/">See what else there is</a></p></div>`,
  };
}
