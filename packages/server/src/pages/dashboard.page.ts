import { domainOf } from '../domains/domains.ts';
import type { Platform } from '../platform/context.ts';
import { mySpaces, toMySpace } from '../spaces/my-spaces.ts';
import { etagOf, ownView, toOwnSpace } from '../spaces/space-view.ts';
import { type PageScope, signInFirst } from './page-scope.ts';

const shown = 24;

/**
 * /dashboard: the viewer's own spaces. /dashboard/{slug}: one of them. Reading needs no script, changing
 * does.
 */
export function mountDashboard(scope: PageScope, platform: Platform): void {
  const { config, database, urls } = platform;

  scope.get('/dashboard', async (page) => {
    if (!page.session) return signInFirst(page);
    const caller = { creatorId: page.session.creator.id, onlySpace: null };
    const { cursor } = page.query;
    const found = await mySpaces(platform, caller, { cursor, limit: shown });
    const spaces = found.page.map((view) => toMySpace(platform, view));
    const { next } = found;
    return {
      title: 'Your spaces',
      client: { page: 'dashboard', data: { spaces, next } },
    };
  });

  scope.get('/dashboard/:slug', async (page) => {
    if (!page.session) return signInFirst(page);
    const caller = { creatorId: page.session.creator.id };
    const view = await ownView(database.db, page.params.slug ?? '', caller);
    const space = toOwnSpace(urls, view);
    const domain = config.CUSTOM_DOMAINS ? { own: await domainOf(platform, view) } : null;
    return {
      title: space.title,
      client: { page: 'manage', data: { space, etag: etagOf(view), domain } },
    };
  });
}
