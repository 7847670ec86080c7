import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller, SpaceCaller } from '../platform/http/caller.ts';
import type { LiveSecrets } from '../platform/secrets/live-secrets.ts';
import { hashSecret, issueSecret, secretKind } from '../platform/secrets/secret.ts';
import { ownView } from '../spaces/space-view.ts';
import { findLiveSecretHashes, findSecret, findSpaceOfSecret, putSecret } from './secrets.queries.ts';

/** Secrets resolved lately. A replacement empties it on every node; the age bounds a missed announcement. */
const cachedSecrets = 10_000;
const cacheSeconds = 30;

export interface SecretTimes {
  readonly createdAt: number;
  /** When it last took the place of an earlier one; null for the first. */
  readonly rotatedAt: number | null;
}

/** The board secrets, by which a space's own server is known. */
export interface BoardSecrets {
  /**
   * The space that a secret names; at once where that is known.
   * @throws `unauthorized`
   */
  resolve(secret: string): SpaceCaller | Promise<SpaceCaller>;
  /**
   * A new secret in the place of the one before, which is refused from now on.
   * @throws `not_found`
   */
  issue(caller: CreatorCaller, slug: string): Promise<string>;
  /** @throws `not_found` */
  read(caller: CreatorCaller, slug: string): Promise<SecretTimes | null>;
  /** Which of these hashes are of secrets that still work: what an upload must not contain. */
  readonly liveSecrets: LiveSecrets;
  close(): void;
}

export function createBoardSecrets({ database, clock }: Platform): BoardSecrets {
  const cache = new LRUCache<string, SpaceCaller>({ max: cachedSecrets, ttl: cacheSeconds * 1_000 });
  // A look-up that was under way while a secret was replaced must not put it back.
  let emptied = 0;
  const empty = () => {
    emptied += 1;
    cache.clear();
  };
  // A removed space's secret ends with it. Claiming a page changes its slug.
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
        await putSecret(tx, space.id, hashSecret(secret), clock.now());
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
