import { listPublicSpacesOf } from '../gallery/gallery.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { html } from './html.ts';
import type { PageScope } from './page-scope.ts';
import { spaceList } from './space-list.ts';

/** /@{handle}: a creator and what they have published. */
export function mountCreator(scope: PageScope, platform: Platform): void {
  scope.get('/@:handle', async ({ params }) => {
    const handle = params.handle?.toLowerCase() ?? '';
    const found = await listPublicSpacesOf(platform, handle);
    if (!found) throw new ServiceError('not_found', 'There is no creator of that name.');
    const since = toTimestamp(found.createdAt).slice(0, 10);
    return {
      title: `@${handle}`,
      wide: true,
      index: true,
      body: html`<h1>@${handle}</h1>
<p class="quiet">${found.name !== handle && html`${found.name} · `}here since <time datetime="${since}">${since}</time></p>
${found.spaces.length === 0 ? html`<p class="notice">Nothing is listed here yet.</p>` : spaceList(found.spaces)}`,
    };
  });
}
