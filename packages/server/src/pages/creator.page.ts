import type { CreatorData } from '@spaceport/contract/first-data';
import { listPublicSpacesOf } from '../gallery/gallery.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { html } from './html.ts';
import { type PageScope, publicDocument } from './page-scope.ts';
import { spaceList } from './space-list.ts';

/** /@{handle}: a creator and what they have published. */
export function mountCreator(scope: PageScope, platform: Platform): void {
  scope.get('/@:handle', async ({ params }) => {
    const handle = params.handle?.toLowerCase() ?? '';
    const found = await listPublicSpacesOf(platform, handle);
    if (!found) throw new ServiceError('not_found', 'There is no creator of that name.');
    const { name, spaces } = found;
    const since = toTimestamp(found.createdAt);
    const data: CreatorData = { handle, name, since, spaces };
    return {
      title: name === handle ? `@${handle}` : `${name} (@${handle})`,
      wide: 'full',
      index: true,
      description: `What @${handle} has made: ${spaces.length === 0 ? 'nothing is listed yet' : spaces.map(({ title }) => title).join(', ')}.`,
      social: {
        canonical: platform.urls.creator(handle),
        type: 'profile',
        image: spaces.find(({ clip }) => clip !== null)?.clip ?? null,
      },
      headers: publicDocument,
      client: { page: 'creator', data },
      body: html`<h1>@${handle}</h1>
<p class="quiet">${name !== handle && html`${name} · `}joined <time datetime="${since}">${since.slice(0, 10)}</time></p>
${spaces.length === 0 ? html`<p class="notice">Nothing is listed here yet.</p>` : spaceList(spaces)}`,
    };
  });
}
