import type { Insertable } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId, TokenId } from '../platform/db/ids.ts';
import type { ApiTokensTable, Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import type { Creator } from './accounts.queries.ts';
import { scopesFromText, type TokenReach, type TokenSpace } from './token-reach.ts';

/** A token with its creator, as one look-up finds them. */
export interface ResolvedToken extends TokenReach {
  readonly tokenId: TokenId;
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

export function findTokenById(db: Db, id: TokenId): Promise<ResolvedToken | undefined> {
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
    .leftJoin('spaces as space', 'space.id', 'token.space_id')
    .select([
      'token.scopes',
      'token.space_id as spaceId',
      'space.slug as spaceSlug',
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
  const {
    creatorId,
    handle,
    name,
    operator,
    bannedAt,
    creatorCreatedAt,
    scopes,
    spaceId,
    spaceSlug,
    ...token
  } = row;
  const creator = {
    id: creatorId,
    handle,
    name,
    operator: operator === 1,
    bannedAt,
    createdAt: creatorCreatedAt,
  };
  return { ...token, scopes: scopesFromText(scopes), space: spaceOf(spaceId, spaceSlug), creator };
}

/**
 * Returns the space of a token for one space. Its row is never missing: the token's row
 * is deleted with the space.
 */
function spaceOf(id: SpaceId | null, slug: string | null): TokenSpace | null {
  if (id === null) return null;
  if (slug === null) throw new Error(`a token is for ${id}, which is not there`);
  return { id, slug };
}

export async function insertToken(
  db: Db,
  token: Omit<Insertable<ApiTokensTable>, 'revoked_at' | 'last_used_at'>,
): Promise<void> {
  await db
    .insertInto('api_tokens')
    .values({ ...token, revoked_at: null, last_used_at: null })
    .execute();
}

export async function touchToken(db: Db, tokenId: TokenId, now: number): Promise<void> {
  await db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', tokenId).execute();
}

/** Returns the hashes among these that belong to working tokens. */
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

export interface ListedToken extends TokenReach {
  readonly id: TokenId;
  readonly clientName: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
}

/** Returns the creator's working tokens, newest first: all of them, or a page. */
export async function listTokens(
  db: Db,
  { creatorId, now }: { creatorId: AccountId; now: number },
  page?: { readonly after: Cursor | null; readonly limit: number },
): Promise<ListedToken[]> {
  let query = selectListed(db, creatorId, now)
    .orderBy('token.created_at', 'desc')
    .orderBy('token.id', 'desc');
  if (page?.after) query = query.where(afterCursor('token.created_at', 'token.id', page.after));
  if (page) query = query.limit(page.limit);
  return (await query.execute()).map(toListed);
}

/** Returns one of the creator's working tokens. */
export async function findListedToken(
  tx: Tx,
  { creatorId, tokenId, now }: { creatorId: AccountId; tokenId: TokenId; now: number },
): Promise<ListedToken | undefined> {
  const row = await selectListed(tx.db, creatorId, now).where('token.id', '=', tokenId).executeTakeFirst();
  return row && toListed(row);
}

function selectListed(db: Db, creatorId: AccountId, now: number) {
  return db
    .selectFrom('api_tokens as token')
    .leftJoin('spaces as space', 'space.id', 'token.space_id')
    .select([
      'token.id',
      'token.client_name as clientName',
      'token.created_at as createdAt',
      'token.expires_at as expiresAt',
      'token.last_used_at as lastUsedAt',
      'token.scopes',
      'token.space_id as spaceId',
      'space.slug as spaceSlug',
    ])
    .where('token.creator_id', '=', creatorId)
    .where('token.revoked_at', 'is', null)
    .where('token.expires_at', '>', now);
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>;

function toListed({ scopes, spaceId, spaceSlug, ...token }: ListedRow): ListedToken {
  return { ...token, scopes: scopesFromText(scopes), space: spaceOf(spaceId, spaceSlug) };
}

/** Sets the name and the reach of a token. */
export async function updateToken(
  tx: Tx,
  tokenId: TokenId,
  token: { client_name: string | null; scopes: string; space_id: SpaceId | null },
): Promise<void> {
  await tx.db.updateTable('api_tokens').set(token).where('id', '=', tokenId).execute();
}

/** Returns false if the creator has no such working token. */
export async function revokeToken(tx: Tx, creatorId: AccountId, tokenId: TokenId): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('api_tokens')
    .set({ revoked_at: tx.now })
    .where('id', '=', tokenId)
    .where('creator_id', '=', creatorId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function revokeTokensOf(tx: Tx, creatorId: AccountId): Promise<void> {
  await tx.db
    .updateTable('api_tokens')
    .set({ revoked_at: tx.now })
    .where('creator_id', '=', creatorId)
    .where('revoked_at', 'is', null)
    .execute();
}
