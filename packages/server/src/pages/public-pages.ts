import { createSpacePages } from '../gallery/space-pages.ts';
import type { Platform } from '../platform/context.ts';
import type { Players } from '../players/players.ts';
import type { FindSite } from '../serving/site.ts';
import { mountApiReference } from './api-reference.page.ts';
import { mountClaim } from './claim.page.ts';
import { mountCreator } from './creator.page.ts';
import type { DocPages } from './docs/mount-docs.ts';
import { mountDrop } from './drop.page.ts';
import { mountGuessed } from './guessed.page.ts';
import { mountHome } from './home.page.ts';
import type { PageScope } from './page-scope.ts';
import { mountSpace } from './space.page.ts';

/**
 * The pages that need no account: the front page, spaces, publishing a folder, claiming, the API reference, and
 * addresses that people guess.
 */
export function publicPages(
  platform: Platform,
  findSite: FindSite,
  players: Players,
  docs: DocPages,
): (scope: PageScope) => void {
  return (scope) => {
    mountHome(scope, platform);
    mountCreator(scope, platform);
    mountSpace(scope, platform, createSpacePages(platform, findSite), players);
    mountDrop(scope, platform);
    mountClaim(scope, platform);
    mountApiReference(scope, platform.urls, docs);
    mountGuessed(scope);
  };
}
