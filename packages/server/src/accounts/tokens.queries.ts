import type { Insertable } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { ApiTokensTable, Db, Tx } from '../platform/db/schema.ts';
import type { Creator } from './accounts.queries.ts';

/** A token with its creator, as one look-up finds them. */
export interface ResolvedToken {
  readonly tokenId: string;
  readonly clientName: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  lastUsedAt: number | null;
  readonly creator: Creator;
}

export function findToken(db: Db, hash: string): Promise<ResolvedToken | undefined> {
  return findTokenBy(db, 'token.hash', hash);
}

export function findTokenById(db: Db, id: string): Promise<ResolvedToken | undefined> {
  return findTokenBy(db, 'token.id', id);
}

async function findTokenBy(
  db: Db,
  column: 'token.hash' | 'token.id',
  value: string,
): Promise<ResolvedToken | undefined> {
  const row = await db
    .selectFrom('api_tokens as token')
    .innerJoin('creators as creator', 'creator.id', 'token.creator_id')
    .select([
      'token.id as tokenId',
      'token.client_name as clientName',
      'token.created_at as createdAt',
      'token.expires_at as expiresAt',
      'token.revoked_at as revokedAt',
      'token.last_used_at as lastUsedAt',
      'creator.id as creatorId',
      'creator.handle',
      'creator.name',
      'creator.operator',
      'creator.banned_at as bannedAt',
      'creator.created_at as creatorCreatedAt',
    ])
    .where(column, '=', value)
    .executeTakeFirst();
  if (!row) return undefined;
  const { creatorId, handle, name, operator, bannedAt, creatorCreatedAt, ...token } = row;
  const creator = {
    id: creatorId,
    handle,
    name,
    operator: operator === 1,
    bannedAt,
    createdAt: creatorCreatedAt,
  };
  return { ...token, creator };
}

export async function insertToken(
  db: Db | Tx,
  token: Omit<Insertable<ApiTokensTable>, 'revoked_at' | 'last_used_at'>,
): Promise<void> {
  await db
    .insertInto('api_tokens')
    .values({ ...token, revoked_at: null, last_used_at: null })
    .execute();
}

export async function touchToken(db: Db, tokenId: string, now: number): Promise<void> {
  await db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', tokenId).execute();
}

/** Which of these hashes are of tokens that still work. */
export async function findLiveTokenHashes(db: Db, hashes: readonly string[], now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .select('hash')
    .where('hash', 'in', oneOf(db, hashes))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
  return rows.map(({ hash }) => hash);
}

export interface ListedToken {
  readonly id: string;
  readonly clientName: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
}

/** The tokens of a creator that still work, newest first. */
export function listTokens(db: Db, creatorId: string, now: number): Promise<ListedToken[]> {
  return db
    .selectFrom('api_tokens')
    .select([
      'id',
      'client_name as clientName',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
    ])
    .where('creator_id', '=', creatorId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Answers false where the creator has no such token that works. */
export async function revokeToken(tx: Tx, creatorId: string, tokenId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('id', '=', tokenId)
    .where('creator_id', '=', creatorId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function revokeTokensOf(tx: Tx, creatorId: string, now: number): Promise<void> {
  await tx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('creator_id', '=', creatorId)
    .where('revoked_at', 'is', null)
    .execute();
}
