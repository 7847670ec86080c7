import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller, SpaceCaller } from '../platform/http/caller.ts';
import type { LiveSecrets } from '../platform/secrets/live-secrets.ts';
import { hashSecret, issueSecret, secretKind } from '../platform/secrets/secret.ts';
import { ownView } from '../spaces/space-view.ts';
import { findLiveSecretHashes, findSecret, findSpaceOfSecret, putSecret } from './secrets.queries.ts';

/**
 * Limits of the cache of resolved secrets. A replacement empties the cache on every node; the age limits
 * the harm of a lost announcement.
 */
const cachedSecrets = 10_000;
const cacheSeconds = 30;

export interface SecretTimes {
  readonly createdAt: number;
  /** When it last replaced an earlier secret, in epoch milliseconds; null for the first one. */
  readonly rotatedAt: number | null;
}

/** The board secrets, which identify the own servers of spaces. */
export interface BoardSecrets {
  /**
   * Returns the space that a secret belongs to; without a promise if it is cached.
   * @throws `unauthorized`
   */
  resolve(secret: string): SpaceCaller | Promise<SpaceCaller>;
  /**
   * Issues a new secret. The previous one is refused from now on.
   * @throws `not_found`
   */
  issue(caller: CreatorCaller, slug: string): Promise<string>;
  /** @throws `not_found` */
  read(caller: CreatorCaller, slug: string): Promise<SecretTimes | null>;
  /** Returns the hashes among these that belong to working secrets, which uploads must not contain. */
  readonly liveSecrets: LiveSecrets;
  close(): void;
}

export function createBoardSecrets({ database }: Platform): BoardSecrets {
  const cache = new LRUCache<string, SpaceCaller>({ max: cachedSecrets, ttl: cacheSeconds * 1_000 });
  // Counts how often the cache was emptied, so that a look-up that began before a
  // replacement is not cached after it.
  let emptied = 0;
  const empty = () => {
    emptied += 1;
    // Clearing writes all of its room, also when nothing is in it: a ban announces thousands of spaces at once.
    if (cache.size > 0) cache.clear();
  };
  // The secret of a removed space stops working. Claiming a page changes its slug.
  const stopListening = ['secret', 'space'].map((thing) => database.announcements.listen(thing, empty));

  async function look(secret: string, hash: string): Promise<SpaceCaller> {
    if (secretKind(secret) !== 'secret') throw unauthorized();
    const emptiedBefore = emptied;
    const space = await findSpaceOfSecret(database.db, hash);
    if (!space || space.state === 'removed' || space.state === 'deleted') throw unauthorized();
    const caller = {
      kind: 'space',
      spaceId: space.id,
      slug: space.slug,
      unlisted: space.state === 'unlisted',
      secretHash: hash,
    } as const;
    if (emptied === emptiedBefore) cache.set(hash, caller);
    return caller;
  }

  return {
    resolve(secret) {
      const hash = hashSecret(secret);
      return cache.get(hash) ?? look(secret, hash);
    },

    async issue(caller, slug) {
      const space = await ownView(database.db, slug, caller);
      const secret = issueSecret('secret');
      await database.transaction(async (tx) => {
        await putSecret(tx, space.id, hashSecret(secret));
        tx.announce('secret', space.id);
      });
      return secret;
    },

    async read(caller, slug) {
      const space = await ownView(database.db, slug, caller);
      const found = await findSecret(database.db, space.id);
      return found ? { createdAt: found.created_at, rotatedAt: found.rotated_at } : null;
    },

    liveSecrets: async (hashes) => new Set(await findLiveSecretHashes(database.db, hashes)),

    close: () => {
      for (const stop of stopListening) stop();
    },
  };
}

function unauthorized(): ServiceError {
  return new ServiceError(
    'unauthorized',
    "The board secret is missing, wrong or replaced: send it as «Authorization: Bearer <the space's secret>».",
  );
}
