import type { SpaceFieldsPatch } from '@spaceport/contract/spaces';
import type { Platform } from '../platform/context.ts';
import type { Principal } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { NextStep } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { RateLimit } from '../platform/limits/rate-limit.ts';
import { requireLister, requireNotBanned } from '../spaces/rights.ts';
import { requireFields } from '../spaces/space-fields.ts';
import { createHostedSpace, ownSpaceForHosting, requireUnfrozen, type SpaceRow } from '../spaces/spaces.ts';
import type { TokenSource } from './create-keys.ts';
import type { SizeLimits } from './manifest.ts';
import type { Quota } from './quota.ts';

/**
 * The publisher and its rights: an account, or somebody without one who holds the claim token of an unlisted
 * page. It is built where the credential of the request is known. The functions of this folder ask only this
 * object.
 */
export interface Publisher {
  readonly limits: SizeLimits;
  /** The most bytes of all files of the publisher; null if its pages expire. */
  readonly quota: Quota | null;
  readonly rate: { readonly bucket: string; readonly limit: RateLimit };
  /** How to get past a limit of this publisher, if there is a way: as `ErrorDetails.next`. */
  readonly moreBy?: NextStep;
  /** Whether the publisher may publish for production, which needs an account. */
  readonly mayGoLive: boolean;
  owns(space: Pick<SpaceRow, 'id' | 'owner_id'>): boolean;
  /** @throws when this publisher may not publish at all */
  requireMayPublish(): void;
  /**
   * Returns the space that a create names, or null for a new one.
   * @throws `not_found`, `not_owner`, `removed`, `held`
   */
  findSpace(slug: string | undefined): Promise<SpaceRow | null>;
  /**
   * Runs in the transaction of the create. Returns the space that was found, or that an earlier create with the same
   * key has made, or a new one; and the principal that its uploads count for.
   * @param tokenSource makes the claim token of a new page; null for a token that nobody can make again
   */
  openSpace(
    tx: Tx,
    space: SpaceRow | null,
    fields: SpaceFieldsPatch | undefined,
    tokenSource: TokenSource | null,
  ): Promise<OpenedSpace>;
  /**
   * Runs in a transaction that publishes, with the space locked.
   * @throws if the publisher has lost the right in the meantime
   */
  confirm(tx: Tx): Promise<void>;
  /**
   * The principal that uploads count for: an account's id or a claim's; null for a publisher that has neither
   * yet.
   */
  readonly principal: Principal | null;
}

/** The space that a version goes to. */
export interface OpenedSpace {
  readonly space: SpaceRow;
  readonly principal: Principal;
  /** The claim of a page without an account; with the token if this create, or the one that it repeats, has made it. */
  readonly claim?: { readonly expiresAt: number; readonly token?: string };
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
      requireLister(caller);
    },
    async findSpace(slug) {
      if (slug === undefined) return null;
      const space = await ownSpaceForHosting(database.db, slug, caller);
      requireUnfrozen(space);
      return space;
    },
    openSpace: async (tx, space, fields) => ({
      space: space ?? (await createHostedSpace(tx, caller, requireFields(fields))),
      principal: caller.creatorId,
    }),
    // The account may have been banned since its token was looked up.
    confirm: (tx) => requireNotBanned(tx, caller.creatorId),
    principal: caller.creatorId,
  };
}
