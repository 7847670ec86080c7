import { type Scope, usualScopes } from '@spaceport/contract/scopes';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId, TokenId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { newId } from '../platform/secrets/id.ts';
import { hashSecret, issueSecret, secretKind } from '../platform/secrets/secret.ts';
import { type Soon, whenKnown } from '../platform/when-known.ts';
import { scopesToText } from './token-reach.ts';
import {
  findToken,
  insertToken,
  type ListedToken,
  listTokens,
  type ResolvedToken,
  revokeToken,
  touchToken,
} from './tokens.queries.ts';

export type { ListedToken } from './tokens.queries.ts';

/**
 * Limits of the cache of resolved tokens. A revocation empties the cache on every node; the age limits the
 * harm of a lost announcement.
 */
const cachedTokens = 10_000;
const cacheSeconds = 30;
const touchEveryMs = 60_000;

export interface IssuedToken {
  readonly id: TokenId;
  readonly token: string;
  readonly expiresAt: number;
}

export interface NewToken {
  /** The name in its owner's list. */
  readonly name: string | null;
  /** The usual ones if absent. */
  readonly scopes?: readonly Scope[];
  /** The id of the one space that the token is for. */
  readonly spaceId?: SpaceId | null;
  /** The longest time of a token if absent. */
  readonly expiresInSeconds?: number;
}

export interface Tokens {
  /**
   * Returns the creator of an API token, with the token: at once if it is cached.
   * @throws `unauthorized`
   */
  resolve(token: string): Soon<ResolvedToken>;
  /** Issues a token, in a transaction if one is given. */
  issue(creatorId: AccountId, token: NewToken, db?: Db): Promise<IssuedToken>;
  /** Returns the creator's working tokens, newest first. */
  list(creatorId: AccountId): Promise<ListedToken[]>;
  /** Returns a page of them. */
  listPage(
    creatorId: AccountId,
    page: { cursor: string | undefined; limit: number },
  ): Promise<{ page: ListedToken[]; next: string | null }>;
  /**
   * Makes every node refuse the token from now on.
   * @throws `not_found` if the token is not the creator's
   */
  revoke(creatorId: AccountId, tokenId: TokenId): Promise<void>;
  /** Revokes a token, given the token itself. Does nothing if it does not work. */
  revokeHeld(token: string): Promise<void>;
  close(): void;
}

export function createTokens(platform: Platform): Tokens {
  const { database, clock, config, log } = platform;
  const cache = new LRUCache<string, ResolvedToken>({ max: cachedTokens, ttl: cacheSeconds * 1000 });
  // Counts how often the cache was emptied, so that a look-up that began before a
  // revocation is not cached after it.
  let emptied = 0;
  const stopListening = database.announcements.listen('creator', () => {
    emptied += 1;
    cache.clear();
  });

  async function look(token: string, hash: string): Promise<ResolvedToken> {
    if (secretKind(token) !== 'token') throw unauthorized();
    const emptiedBefore = emptied;
    const resolved = await findToken(database.db, hash);
    if (!resolved) throw unauthorized();
    if (emptied === emptiedBefore) cache.set(hash, resolved);
    return resolved;
  }

  /** Returns the token if it works, and notes its use. */
  function use(resolved: ResolvedToken): ResolvedToken {
    const now = clock.now();
    if (resolved.revokedAt !== null || resolved.expiresAt <= now) throw unauthorized();
    if (now - (resolved.lastUsedAt ?? 0) > touchEveryMs) {
      resolved.lastUsedAt = now;
      // The last use is only for the owner's list: answers do not wait for this write,
      // and do not fail with it.
      touchToken(database.db, resolved.tokenId, now).catch((error) =>
        log.debug({ err: error }, 'last use not noted'),
      );
    }
    return resolved;
  }

  async function issue(
    creatorId: AccountId,
    { name, scopes = usualScopes, spaceId = null, expiresInSeconds = config.API_TOKEN_SECONDS }: NewToken,
    db: Db = database.db,
  ): Promise<IssuedToken> {
    const token = issueSecret('token');
    const id = newId('tok');
    const now = clock.now();
    const expiresAt = now + Math.min(expiresInSeconds, config.API_TOKEN_SECONDS) * 1000;
    await insertToken(db, {
      id,
      creator_id: creatorId,
      hash: hashSecret(token),
      client_name: name,
      created_at: now,
      expires_at: expiresAt,
      scopes: scopesToText(scopes),
      space_id: spaceId,
    });
    return { id, token, expiresAt };
  }

  return {
    resolve(token) {
      const hash = hashSecret(token);
      return whenKnown(cache.get(hash) ?? look(token, hash), use);
    },

    issue,

    list: (creatorId) => listTokens(database.db, { creatorId, now: clock.now() }),

    async listPage(creatorId, { cursor, limit }) {
      const of = { creatorId, now: clock.now() };
      const rows = await listTokens(database.db, of, { after: decodeCursor(cursor), limit: limit + 1 });
      return pageOf(rows, limit, ({ createdAt, id }) => ({ value: createdAt, id }));
    },

    revoke: (creatorId, tokenId) =>
      database.transaction(async (tx) => {
        if (!(await revokeToken(tx, creatorId, tokenId))) {
          throw noSuchToken();
        }
        tx.announce('creator', creatorId);
      }),

    revokeHeld: async (token) => {
      if (secretKind(token) !== 'token') return;
      const held = await findToken(database.db, hashSecret(token));
      if (!held) return;
      await database.transaction(async (tx) => {
        const { creator, tokenId } = held;
        if (await revokeToken(tx, creator.id, tokenId)) tx.announce('creator', creator.id);
      });
    },

    close: stopListening,
  };
}

function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'The token is missing, wrong, expired or revoked; sign in again.');
}

export function noSuchToken(): ServiceError {
  return new ServiceError('not_found', 'There is no such token.');
}
