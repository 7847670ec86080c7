import type { GalleryData } from '@spaceport/contract/first-data';
import { spaceTypeLabels } from '@spaceport/contract/labels';
import { type SpaceType, spaceTypes } from '@spaceport/contract/spaces';
import { listPublicSpaces, toPublicSpace } from '../gallery/gallery.ts';
import type { Platform } from '../platform/context.ts';
import { type Html, html } from './html.ts';
import { pathWith } from './next-path.ts';
import { type PageScope, publicDocument } from './page-scope.ts';
import { spaceList } from './space-list.ts';

const shown = 24;
const maxQueryCharacters = 100;
const about = 'Games and other things to play and use in the browser, made by people and their agents.';

/** /: what is on the service, newest or most played first, and how to publish. */
export function mountHome(scope: PageScope, platform: Platform): void {
  scope.get('/', async ({ query }) => {
    const asked = readQuery(query);
    const { q, spaceType, sort } = asked;
    const { page, next } = await listPublicSpaces(platform, {
      q,
      sort,
      limit: shown,
      ...(spaceType === null ? {} : { space_type: spaceType }),
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    });
    const spaces = page.map((view) => toPublicSpace(platform.urls, view));
    const data: GalleryData = { ...asked, spaces, next };
    return {
      title: 'Play something',
      wide: 'full',
      index: true,
      description: about,
      social: { canonical: `${platform.urls.app}/`, type: 'website' },
      headers: publicDocument,
      client: { page: 'gallery', data },
      body: html`<h1>Play something</h1>
<form class="search" method="get" action="/" role="search"><label class="said" for="q">Search</label>
<input class="input" id="q" name="q" type="search" value="${q}" maxlength="${maxQueryCharacters}"> <button type="submit">Search</button></form>
${filters(data)}
${spaces.length === 0 ? (isFiltered(asked) ? html`<p class="notice">Nothing has all of these words.</p>` : html`<p class="notice">Nothing has been published yet. Be the first:</p>`) : null}
${spaceList(spaces)}
${next !== null && html`<p class="below"><a class="button plain" href="${pathWith('/', { ...toQuery(asked), cursor: next })}">More</a></p>`}
<h2 id="publish">Publish a folder</h2>
<pre><code>npx spaceport publish ./my-game --anonymous --server ${platform.urls.app}</code></pre>
<p class="quiet">No account needed: the page lasts a week, and can be claimed. <a href="/docs/api">The API</a> does the same for programs.</p>`,
    };
  });
}

type Asked = Pick<GalleryData, 'q' | 'spaceType' | 'sort'>;

/** What the address asks for; what it cannot ask for is left out, so that an old or mistyped link still opens. */
function readQuery({ q = '', space_type, sort }: Readonly<Record<string, string>>): Asked {
  return {
    q: q.slice(0, maxQueryCharacters),
    spaceType: spaceTypes.find((type) => type === space_type) ?? null,
    sort: sort === 'played' ? 'played' : 'new',
  };
}

function toQuery({ q, spaceType, sort }: Asked): Record<string, string | undefined> {
  return {
    q: q === '' ? undefined : q,
    space_type: spaceType ?? undefined,
    sort: sort === 'new' ? undefined : sort,
  };
}

function isFiltered({ q, spaceType }: Asked): boolean {
  return q !== '' || spaceType !== null;
}

function filters(asked: Asked): Html {
  const link = (change: Partial<Asked>, text: string) => {
    const to = { ...asked, ...change };
    const isCurrent = to.spaceType === asked.spaceType && to.sort === asked.sort;
    return html`<a href="${pathWith('/', toQuery(to))}"${isCurrent ? html` aria-current="true"` : null}>${text}</a>`;
  };
  const ofType = (type: SpaceType) => link({ spaceType: type }, spaceTypeLabels[type].many);
  return html`<nav class="choice-row" aria-label="Types">${link({ spaceType: null }, 'All')}${spaceTypes.map(ofType)}</nav>
<nav class="choice-row" aria-label="Order">${link({ sort: 'new' }, 'New')}${link({ sort: 'played' }, 'Most played')}</nav>`;
}
