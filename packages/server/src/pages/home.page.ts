import { listPublicSpaces, toPublicSpace } from '../gallery/gallery.ts';
import type { Platform } from '../platform/context.ts';
import { html } from './html.ts';
import type { PageScope } from './page-scope.ts';
import { spaceList } from './space-list.ts';

const shown = 24;

/** /: what is on the service, newest first, and how to publish. */
export function mountHome(scope: PageScope, platform: Platform): void {
  scope.get('/', async ({ query }) => {
    const q = query.q?.slice(0, 200) ?? '';
    const { page } = await listPublicSpaces(platform, { q, sort: 'new', limit: shown });
    const spaces = page.map((view) => toPublicSpace(platform.urls, view));
    return {
      title: 'Games and other spaces',
      wide: true,
      index: true,
      body: html`<h1>Play something</h1>
<form class="search" method="get" action="/" role="search"><label for="q">Search</label> <input id="q" name="q" type="search" value="${q}"> <button type="submit">Search</button></form>
${spaces.length === 0 ? (q === '' ? html`<p class="notice">Nothing has been published yet. Be the first:</p>` : html`<p class="notice">Nothing has all of these words.</p>`) : null}
${spaceList(spaces)}
<h2>Publish a folder</h2>
<pre><code>npx spaceport publish ./my-game --anonymous</code></pre>
<p class="quiet">No account needed: the page lasts a week, and can be claimed. <a href="/docs/api">The API</a> does the same for programs.</p>`,
    };
  });
}
