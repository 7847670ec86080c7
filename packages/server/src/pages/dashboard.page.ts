import type { Platform } from '../platform/context.ts';
import { mySpaces, toMySpace } from '../spaces/my-spaces.ts';
import { etagOf, ownView, toOwnSpace } from '../spaces/space-view.ts';
import { html } from './html.ts';
import { pathWith } from './next-path.ts';
import { type PageScope, signInFirst } from './page-scope.ts';

const shown = 24;

/** /dashboard: one's own spaces; /dashboard/{slug}: one of them. What they show needs no script, what they do does. */
export function mountDashboard(scope: PageScope, platform: Platform): void {
  const { database, urls } = platform;

  scope.get('/dashboard', async (page) => {
    if (!page.session) return signInFirst(page);
    const caller = { creatorId: page.session.creator.id, onlySpace: null };
    const { cursor } = page.query;
    const found = await mySpaces(platform, caller, { cursor, limit: shown });
    const spaces = found.page.map((view) => toMySpace(platform, view));
    const { next } = found;
    return {
      title: 'Your spaces',
      wide: 'full',
      client: { page: 'dashboard', data: { spaces, next } },
      body: html`<h1>Your spaces</h1>
${
  spaces.length === 0
    ? html`<p class="notice">You have published nothing yet. <a href="/#publish">See how</a>.</p>`
    : html`<ul class="rows card">${spaces.map(
        ({ slug, title, service_url }) =>
          html`<li><div><a href="/dashboard/${slug}">${title}</a></div> <a href="${service_url}">Its page</a></li>`,
      )}</ul>`
}
${next !== null && html`<p class="below"><a class="button plain" href="${pathWith('/dashboard', { cursor: next })}">More</a></p>`}`,
    };
  });

  scope.get('/dashboard/:slug', async (page) => {
    if (!page.session) return signInFirst(page);
    const caller = { creatorId: page.session.creator.id };
    const view = await ownView(database.db, page.params.slug ?? '', caller);
    const space = toOwnSpace(urls, view);
    return {
      title: space.title,
      wide: 'full',
      client: { page: 'manage', data: { space, etag: etagOf(view) } },
      body: html`<p><a href="/dashboard">Your spaces</a></p>
<h1>${space.title}</h1>
<p><a href="${space.service_url}">Its page</a></p>
<noscript><p class="notice">Managing a space here takes script. The <code>spaceport</code> command and <a href="/docs/api">the API</a> do the same without.</p></noscript>`,
    };
  });
}
