import type { StageData } from '@spaceport/contract/first-data';
import type { PublicSpacePage } from '@spaceport/contract/gallery';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { ShownTag } from '../platform/db/shown.ts';
import type { FindSite, SiteAtHost } from '../serving/site.ts';
import { viewById } from '../spaces/space-view.ts';
import { findSpaceOfSlug, isPublished, type SpaceRow } from '../spaces/spaces.ts';
import { endedUnclaimed } from '../unlisted/expiry.ts';
import { type FramedVersion, findFramedVersion } from '../versions/current-page.ts';
import { unlistedLabel } from '../versions/unlisted-label.ts';
import { showsOfPage, withWinnings } from './space-details.ts';

/** The content of a page that frames a space. */
export interface Shown {
  readonly is: 'shown';
  readonly id: SpaceId;
  /**
   * The space with the boards and achievements that this play counts for: live ones, or those of the sandbox.
   */
  readonly space: PublicSpacePage;
  readonly ownerId: AccountId | null;
  /** The address in the frame; null before anything was published. */
  readonly frame: string | null;
  readonly stage: StageData;
  /**
   * `click` waits for the player. A page that runs elsewhere always waits, so that it gets no request before.
   */
  readonly start: 'auto' | 'click';
  readonly isolated: boolean;
  /** In no list: published without an account, or kept out by its creator. */
  readonly unlisted: boolean;
  /**
   * The tags for caching; null if the page must not be cached, as an unlisted page, which expires and
   * shows its newest version.
   */
  readonly shows: readonly ShownTag[] | null;
  /** ISO 8601; only for a page that was published without an account, and for a preview. */
  readonly expiresAt: string | null;
}

/** A page that is not shown, for now or for good. */
export interface Gone {
  readonly is: 'gone';
  readonly title: string;
  readonly why: string;
}
interface Unknown {
  readonly is: 'unknown';
}

export type SpacePage = Shown | { readonly is: 'moved'; readonly slug: string } | Gone | Unknown;

export interface SpacePages {
  /**
   * Returns the page of a slug. A space that was never live has a page only for its owner.
   * @param viewer the account that opens it; null without one
   */
  find(slug: string, viewer: AccountId | null): Promise<SpacePage>;
  /** Returns the page of a preview link while the link is valid. */
  findPreview(label: string): Promise<Shown | Gone | Unknown>;
}

const gone = (why: string, title = 'It is not here any more'): Gone => ({ is: 'gone', title, why });

const notShown: Partial<Record<SpaceRow['state'], Gone>> = {
  offline: gone('Its creator has taken it offline for now.', 'Offline'),
  held: gone(
    'The operators of this service are reviewing it. Until they decide nobody can open it.',
    'Under review',
  ),
  hidden: gone('The space is not shown at the moment.', 'Not shown'),
  removed: gone('The space was taken off the service.'),
};

const deleted = gone('It was deleted.');
const notClaimed = gone('The page was not claimed in time.');
/** What a page says whose space could be shown, but not what it has. */
const ended = {
  refused: gone('The safety check refused what it showed.'),
  takenDown: gone('The operators of this service have taken down a file of it.'),
  // It became so between two look-ups.
  away: gone('The space is not shown at the moment.', 'Not shown'),
  expired: notClaimed,
};
const previewOver = gone('The link has ended. Its creator can make a new one.');

/**
 * Creates the function that finds the page of a space, also by an earlier slug, and by the slug
 * of a page that has ended.
 */
export function createSpacePages(platform: Platform, findSite: FindSite): SpacePages {
  const { urls } = platform;
  const { db } = platform.database;

  /** Returns what runs at a content host, with its version. */
  async function framed(at: SiteAtHost | null): Promise<Framed> {
    const version = at?.is === 'site' ? await findFramedVersion(platform, at.site.versionId) : null;
    return {
      version,
      start: version === null || version.startsByClick ? 'click' : 'auto',
      isolated: at?.is === 'site' && at.site.isolated,
      expiresAt: at?.is === 'site' && at.expiresAt !== undefined ? toTimestamp(at.expiresAt) : null,
    };
  }

  return {
    async find(slug, viewer) {
      const space = await findSpaceOfSlug(db, slug);
      if (space === 'never') return { is: 'unknown' };
      if (space === 'ended') return (await endedUnclaimed(db, slug)) ? notClaimed : deleted;
      const why = notShown[space.state];
      if (why) return why;
      if (space.slug !== slug) return { is: 'moved', slug: space.slug };
      const unlisted = space.state === 'unlisted';
      if (!unlisted && !isPublished(space) && space.owner_id !== viewer) return { is: 'unknown' };
      const label = unlisted ? unlistedLabel(slug) : slug;
      const at = space.hosted === 1 ? await findSite(unlisted ? 'preview' : 'play', label) : null;
      if (at?.is === 'gone') return ended[at.why ?? 'expired'];
      const own = unlisted ? urls.preview(label) : urls.live(slug) + numberOf(at);
      const env = unlisted ? 'sandbox' : 'live';
      const { version, ...frame } = await framed(at);
      const view = await viewById(db, space.id);
      return {
        is: 'shown',
        id: view.id,
        space: await withWinnings(platform, view, env),
        shows: unlisted ? null : showsOfPage(view),
        ownerId: space.owner_id,
        frame: at === null ? space.url : at.is === 'site' ? own : null,
        stage: stageOf(slug, env, version),
        ...frame,
        unlisted: unlisted || space.page_unlisted === 1,
      };
    },
    async findPreview(label) {
      const at = await findSite('preview', label);
      if (at.is === 'gone') return previewOver;
      const { version, ...frame } = await framed(at);
      if (version === null) return { is: 'unknown' };
      const view = await viewById(db, version.spaceId);
      return {
        is: 'shown',
        id: view.id,
        space: await withWinnings(platform, view, 'sandbox'),
        shows: null,
        ownerId: view.owner_id,
        frame: urls.preview(label),
        stage: stageOf(label, 'sandbox', version),
        ...frame,
        unlisted: true,
      };
    },
  };
}

/**
 * Returns the number at the end of the address if the version is served there, so that all
 * files come from this version.
 */
function numberOf(at: SiteAtHost | null): string {
  return at?.is === 'site' && at.numbers?.has(at.site.number) ? `~${at.site.number}/` : '';
}

type Framed = Pick<Shown, 'start' | 'isolated' | 'expiresAt'> & { readonly version: FramedVersion | null };

function stageOf(space: string, env: StageData['env'], version: FramedVersion | null): StageData {
  const storage = version?.keepsStorage ? `${version.spaceId} ${env}` : null;
  return { space, env, version: version?.number ?? null, toasts: version?.toasts ?? true, storage };
}
