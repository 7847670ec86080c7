import type { PublicSpacePage } from '@spaceport/contract/gallery';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { FindSite } from '../serving/site.ts';
import { viewById } from '../spaces/space-view.ts';
import { findSpaceOfSlug, type SpaceRow } from '../spaces/spaces.ts';
import { endedUnclaimed } from '../unlisted/expiry.ts';
import { startsByClick } from '../versions/current-page.ts';
import { unlistedLabel } from '../versions/unlisted-label.ts';
import { toPublicSpace } from './gallery.ts';
import { withWinnings } from './space-details.ts';

/** What a space's page shows. */
export interface Shown {
  readonly is: 'shown';
  /** With what is won in it, where anyone may see that: a page without an account has sandbox data only. */
  readonly space: PublicSpacePage;
  readonly ownerId: string | null;
  /** Address of what runs in the frame; null before anything was published. */
  readonly frame: string | null;
  /** `click` waits for the player. A page that runs elsewhere always does: nothing is asked of it before. */
  readonly start: 'auto' | 'click';
  readonly isolated: boolean;
  /** In no list: published without an account, or kept out by its creator. */
  readonly unlisted: boolean;
  /** ISO 8601; of a page that was published without an account. */
  readonly expiresAt: string | null;
}

export type SpacePage =
  | Shown
  | { readonly is: 'moved'; readonly slug: string }
  | { readonly is: 'gone'; readonly why: string }
  | { readonly is: 'unknown' };

export interface SpacePages {
  find(slug: string): Promise<SpacePage>;
}

const whyGone: Partial<Record<SpaceRow['state'], string>> = {
  offline: 'Its creator has taken it offline for now.',
  held: 'The space is under review.',
  hidden: 'The space is not shown at the moment.',
  removed: 'The space was taken off the service.',
};

const notClaimed = 'The page was not claimed in time.';

/** Finds what is at a space's page: also by a slug it had before, and by one whose page has ended. */
export function createSpacePages(platform: Platform, findSite: FindSite): SpacePages {
  const { urls } = platform;
  const { db } = platform.database;
  return {
    async find(slug) {
      const space = await findSpaceOfSlug(db, slug);
      if (space === 'never') return { is: 'unknown' };
      if (space === 'ended')
        return { is: 'gone', why: (await endedUnclaimed(db, slug)) ? notClaimed : 'It was deleted.' };
      const why = whyGone[space.state];
      if (why) return { is: 'gone', why };
      if (space.slug !== slug) return { is: 'moved', slug: space.slug };
      const unlisted = space.state === 'unlisted';
      const label = unlisted ? unlistedLabel(slug) : slug;
      const at = space.hosted === 1 ? await findSite(unlisted ? 'preview' : 'play', label) : null;
      if (at?.is === 'gone') return { is: 'gone', why: notClaimed };
      const own = unlisted ? urls.preview(label) : urls.live(slug);
      const waits = at?.is !== 'site' || (await startsByClick(platform, at.site.versionId));
      return {
        is: 'shown',
        space: unlisted
          ? { ...toPublicSpace(urls, await viewById(db, space.id)), boards: [], achievements: [] }
          : await withWinnings(platform, await viewById(db, space.id)),
        ownerId: space.owner_id,
        frame: at === null ? space.url : at.is === 'site' ? own : null,
        start: waits ? 'click' : 'auto',
        isolated: at?.is === 'site' && at.site.isolated,
        unlisted: unlisted || space.page_unlisted === 1,
        expiresAt: at?.is === 'site' && at.expiresAt !== undefined ? toTimestamp(at.expiresAt) : null,
      };
    },
  };
}
