import { type Scope, usualScopes } from '@spaceport/contract/scopes';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import type { AccountId, SpaceId, TokenId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { newId } from '../platform/secrets/id.ts';
import { hashSecret, issueSecret, secretKind } from '../platform/secrets/secret.ts';
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
 * Tokens that were resolved lately. A revocation empties the cache on every node; the age limits the harm of a missed
 * announcement.
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
  /** What it is called in the list of its owner. */
  readonly name: string | null;
  /** If absent: the usual ones. */
  readonly scopes?: readonly Scope[];
  /** The id of the one space it is for. */
  readonly spaceId?: SpaceId | null;
  /** If absent: as long as any token lasts. */
  readonly expiresInSeconds?: number;
}

export interface Tokens {
  /**
   * The creator behind an API token.
   * @throws `unauthorized`
   */
  resolve(token: string): Promise<ResolvedToken>;
  /** Inside the transaction, if one is given. */
  issue(creatorId: AccountId, token: NewToken, db?: Db): Promise<IssuedToken>;
  /** The creator's tokens that still work, newest first. */
  list(creatorId: AccountId): Promise<ListedToken[]>;
  /**
   * From now on the token is refused, on every node.
   * @throws `not_found` for one that is not the creator's
   */
  revoke(creatorId: AccountId, tokenId: TokenId): Promise<void>;
  /** The same by who holds it. Nothing happens for one that does not work. */
  revokeHeld(token: string): Promise<void>;
  close(): void;
}

export function createTokens(platform: Platform): Tokens {
  const { database, clock, config, log } = platform;
  const cache = new LRUCache<string, ResolvedToken>({ max: cachedTokens, ttl: cacheSeconds * 1000 });
  // A look-up that was under way while a token was revoked must not put it back.
  let emptied = 0;
  const stopListening = database.announcements.listen('creator', () => {
    emptied += 1;
    cache.clear();
  });

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
    async resolve(token) {
      const hash = hashSecret(token);
      const now = clock.now();
      let resolved = cache.get(hash);
      if (!resolved) {
        if (secretKind(token) !== 'token') throw unauthorized();
        const emptiedBefore = emptied;
        resolved = await findToken(database.db, hash);
        if (!resolved) throw unauthorized();
        if (emptied === emptiedBefore) cache.set(hash, resolved);
      }
      if (resolved.revokedAt !== null || resolved.expiresAt <= now) throw unauthorized();
      if (now - (resolved.lastUsedAt ?? 0) > touchEveryMs) {
        resolved.lastUsedAt = now;
        // It is only for the owner's list of tokens: answers neither wait for it nor fail with it.
        touchToken(database.db, resolved.tokenId, now).catch((error) =>
          log.debug({ err: error }, 'last use not noted'),
        );
      }
      return resolved;
    },

    issue,

    list: (creatorId) => listTokens(database.db, creatorId, clock.now()),

    revoke: (creatorId, tokenId) =>
      database.transaction(async (tx) => {
        if (!(await revokeToken(tx, creatorId, tokenId, clock.now()))) {
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
        if (await revokeToken(tx, creator.id, tokenId, clock.now())) tx.announce('creator', creator.id);
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
