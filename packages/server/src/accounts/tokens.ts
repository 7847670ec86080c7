import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { newId } from '../platform/secrets/id.ts';
import { hashSecret, issueSecret, secretKind } from '../platform/secrets/secret.ts';
import { findToken, insertToken, type ResolvedToken, touchToken } from './accounts.queries.ts';

/** Tokens resolved lately. A revocation empties it on every node; the age bounds a missed announcement. */
const cachedTokens = 10_000;
const cacheSeconds = 30;
const touchEveryMs = 60_000;

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: number;
}

export interface Tokens {
  /** The creator behind an API token. Throws `unauthorized`. */
  resolve(token: string): Promise<ResolvedToken>;
  issue(creatorId: string, clientName: string | null): Promise<IssuedToken>;
  close(): void;
}

export function createTokens(platform: Platform): Tokens {
  const { database, clock, config, log } = platform;
  const cache = new LRUCache<string, ResolvedToken>({ max: cachedTokens, ttl: cacheSeconds * 1000 });
  const stopListening = database.announcements.listen('creator', () => cache.clear());

  return {
    async resolve(token) {
      if (secretKind(token) !== 'token') throw unauthorized();
      const hash = hashSecret(token);
      const now = clock.now();
      let resolved = cache.get(hash);
      if (!resolved) {
        resolved = await findToken(database.db, hash);
        if (!resolved) throw unauthorized();
        cache.set(hash, resolved);
      }
      if (resolved.revokedAt !== null || resolved.expiresAt <= now) throw unauthorized();
      if (now - (resolved.lastUsedAt ?? 0) > touchEveryMs) {
        resolved.lastUsedAt = now;
        // Only for the owner's list of tokens: an answer does not wait for it, nor fail with it.
        touchToken(database.db, resolved.tokenId, now).catch((error) =>
          log.debug({ err: error }, 'last use not noted'),
        );
      }
      return resolved;
    },

    async issue(creatorId, clientName) {
      const token = issueSecret('token');
      const now = clock.now();
      const expiresAt = now + config.API_TOKEN_SECONDS * 1000;
      await insertToken(database.db, {
        id: newId('tok'),
        creator_id: creatorId,
        hash: hashSecret(token),
        client_name: clientName,
        created_at: now,
        expires_at: expiresAt,
      });
      return { token, expiresAt };
    },

    close: stopListening,
  };
}

function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'The token is missing, wrong, expired or revoked; sign in again.');
}
