import type { SpaceFields } from '@spaceport/contract/spaces';
import { isBanned } from '../accounts/ban.ts';
import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type NextStep, ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { RateLimit } from '../platform/limits/rate-limit.ts';
import { createHostedSpace, ownSpaceForHosting, requireOnService, type SpaceRow } from '../spaces/spaces.ts';
import type { SizeLimits } from './manifest.ts';
import type { Quota } from './quota.ts';

/**
 * Who publishes, and what they may: an account, or somebody without one who holds the claim token of an unlisted
 * page. Built where the request's credential is known; the functions of this folder ask it and nothing else.
 */
export interface Publisher {
  readonly limits: SizeLimits;
  /** What all its files may come to; null where their pages go by themselves. */
  readonly quota: Quota | null;
  readonly rate: { readonly bucket: string; readonly limit: RateLimit };
  /** How to get past a limit of this publisher's, where there is a way: as `ErrorDetails.next`. */
  readonly moreBy?: NextStep;
  /** Publishing for production needs an account. */
  readonly mayGoLive: boolean;
  owns(space: Pick<SpaceRow, 'id' | 'owner_id'>): boolean;
  /** Throws when this publisher may not publish at all. */
  requireMayPublish(): void;
  /** The space that a create names, or null for a new one. Throws `not_found`, `not_owner`, `removed`, `held`. */
  findSpace(slug: string | undefined): Promise<SpaceRow | null>;
  /** In the create's transaction: the new space. */
  openSpace(tx: Tx, fields: SpaceFields, now: number): Promise<SpaceRow>;
  /** In a transaction that publishes, with the space locked: throws when the right has ended meanwhile. */
  confirm(tx: Tx, space: SpaceRow): Promise<void>;
  /** Who uploads to versions of this space (null: of a new one) count for: a creator's id or a claim's. */
  principalFor(space: SpaceRow | null): string;
}

export function accountPublisher({ config, database }: Platform, caller: CreatorCaller): Publisher {
  return {
    limits: { maxFileBytes: config.MAX_FILE_BYTES, maxVersionBytes: config.MAX_VERSION_BYTES },
    quota: { creatorId: caller.creatorId, maxBytes: config.ACCOUNT_MAX_BYTES },
    rate: {
      bucket: `publish:${caller.creatorId}`,
      limit: { count: config.PUBLISHES_PER_HOUR, seconds: 3600 },
    },
    mayGoLive: true,
    owns: (space) => space.owner_id === caller.creatorId,
    requireMayPublish() {
      if (caller.banned) throw cannotPublish();
      if (caller.handle === null) throw new ServiceError('no_handle', 'Pick a handle before publishing.');
    },
    async findSpace(slug) {
      if (slug === undefined) return null;
      const space = await ownSpaceForHosting(database.db, slug, caller);
      requireOnService(space);
      return space;
    },
    openSpace: (tx, fields, now) => createHostedSpace(tx, caller, fields, now),
    // Banned since the token was looked up.
    async confirm(tx) {
      if (await isBanned(tx, caller.creatorId)) throw cannotPublish();
    },
    principalFor: () => caller.creatorId,
  };
}

function cannotPublish(): ServiceError {
  return new ServiceError('forbidden', 'This account cannot publish.');
}
