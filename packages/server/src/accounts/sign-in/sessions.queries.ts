import { type Insertable, sql } from 'kysely';
import { afterCursor } from '../../platform/db/after-cursor.ts';
import { deleteInPieces } from '../../platform/db/delete-pieces.ts';
import { oneOfList } from '../../platform/db/dialect.ts';
import { gathered } from '../../platform/db/gathered-reads.ts';
import type { AccountId, SessionId } from '../../platform/db/ids.ts';
import { type List, listOf } from '../../platform/db/lists.ts';
import { type Given, prepared } from '../../platform/db/prepared.ts';
import type { AuthSessionsTable, Db } from '../../platform/db/schema.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Cursor } from '../../platform/http/cursor.ts';
import { newId } from '../../platform/secrets/id.ts';
import type { Creator } from '../accounts.queries.ts';

/** A browser that is signed in to the web pages. */
export interface Session {
  readonly id: SessionId;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly creator: Creator;
  readonly email: string;
  readonly emailVerified: boolean;
}

/**
 * Finds the session of a token's hash, if its account is not banned. The session may be over. Look-ups that
 * come together share one statement.
 */
export const findSession = gathered(findSessions);

async function findSessions(db: Db, tokenHashes: readonly string[]): Promise<Map<string, Session>> {
  const rows = await findRows(db, { tokens: listOf(tokenHashes) });
  return new Map(rows.map((row) => [row.token, sessionOf(row)]));
}

const findRows = prepared((db, { tokens }: Given<{ tokens: List<string> }>) =>
  db
    .selectFrom('auth_sessions as session')
    .innerJoin('creators as creator', 'creator.id', 'session.creator_id')
    .select([
      'session.token',
      'session.id as sessionId',
      'session.created_at as sessionCreatedAt',
      'session.expires_at as expiresAt',
      'creator.id',
      'creator.handle',
      'creator.name',
      'creator.operator',
      'creator.email',
      'creator.email_verified as emailVerified',
      'creator.created_at as createdAt',
    ])
    .where('session.token', 'in', oneOfList(db, tokens))
    .where('creator.banned_at', 'is', null),
);

interface SessionRow {
  readonly sessionId: SessionId;
  readonly sessionCreatedAt: number;
  readonly expiresAt: number;
  readonly id: AccountId;
  readonly handle: string | null;
  readonly name: string;
  readonly operator: number;
  readonly email: string;
  readonly emailVerified: number;
  readonly createdAt: number;
}

function sessionOf({ id, handle, name, operator, createdAt, ...row }: SessionRow): Session {
  return {
    id: row.sessionId,
    createdAt: row.sessionCreatedAt,
    expiresAt: row.expiresAt,
    creator: { id, handle, name, operator: operator === 1, bannedAt: null, createdAt },
    email: row.email,
    emailVerified: row.emailVerified === 1,
  };
}

export async function deleteSession(db: Db, id: SessionId): Promise<void> {
  await db.deleteFrom('auth_sessions').where('id', '=', id).execute();
}

/** A signed-in browser, for its account's list. */
export interface ListedSession {
  readonly id: SessionId;
  readonly userAgent: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Returns a page of the sessions of an account but one, newest first. */
export function listOtherSessions(
  db: Db,
  { creatorId, id, now }: { creatorId: AccountId; id: SessionId; now: number },
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): Promise<ListedSession[]> {
  let query = selectListed(db, creatorId, now)
    .where('id', '!=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) query = query.where(afterCursor('created_at', 'id', after));
  return query.execute();
}

/** Returns one of the sessions of an account; undefined if it is over. */
export function findListedSession(
  db: Db,
  { creatorId, id, now }: { creatorId: AccountId; id: SessionId; now: number },
): Promise<ListedSession | undefined> {
  return selectListed(db, creatorId, now).where('id', '=', id).executeTakeFirst();
}

function selectListed(db: Db, creatorId: AccountId, now: number) {
  return db
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent as userAgent', 'created_at as createdAt', 'expires_at as expiresAt'])
    .where('creator_id', '=', creatorId)
    .where('expires_at', '>', now);
}

/** Returns false if the account has no such session. */
export async function deleteOwnSession(db: Db, creatorId: AccountId, id: SessionId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_sessions')
    .where('id', '=', id)
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns how many sessions were deleted. */
export async function deleteOtherSessions(db: Db, creatorId: AccountId, keptId: SessionId): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_sessions')
    .where('creator_id', '=', creatorId)
    .where('id', '!=', keptId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function findCodeLock(
  tx: Tx,
  sessionId: SessionId,
): Promise<{ wrong: number; until: number | null }> {
  const row = await tx.db
    .selectFrom('auth_sessions')
    .select(['wrong_codes as wrong', 'codes_locked_until as until'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row ?? { wrong: 0, until: null };
}

export async function setCodeLock(
  tx: Tx,
  sessionId: SessionId,
  { wrong, until }: { wrong: number; until: number | null },
): Promise<void> {
  await tx.db
    .updateTable('auth_sessions')
    .set({ wrong_codes: wrong, codes_locked_until: until })
    .where('id', '=', sessionId)
    .execute();
}

export async function insertSession(
  tx: Tx,
  session: Pick<Insertable<AuthSessionsTable>, 'token' | 'creator_id' | 'expires_at' | 'user_agent'>,
): Promise<void> {
  await tx.db
    .insertInto('auth_sessions')
    .values({ ...session, id: newId('ses'), created_at: tx.now, updated_at: tx.now })
    .execute();
}

/** Ends the session of a token's hash, for any account. */
export async function deleteSessionOfToken(tx: Tx, tokenHash: string): Promise<void> {
  await tx.db.deleteFrom('auth_sessions').where('token', '=', tokenHash).execute();
}

export async function deleteAllSessions(tx: Tx, creatorId: AccountId): Promise<void> {
  await tx.db.deleteFrom('auth_sessions').where('creator_id', '=', creatorId).execute();
}

export async function sweepSessions(db: Db, now: number): Promise<void> {
  await deleteInPieces(db, 'auth_sessions', sql`expires_at <= ${now}`);
}
