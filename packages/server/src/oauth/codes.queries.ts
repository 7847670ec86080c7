import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import type { TokenId } from '../platform/db/ids.ts';
import type { Db, OAuthCodesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type CodeRow = Selectable<OAuthCodesTable>;

export async function insertCode(tx: Tx, code: Omit<Insertable<OAuthCodesTable>, 'token_id'>): Promise<void> {
  await tx.db
    .insertInto('oauth_codes')
    .values({ ...code, token_id: null })
    .execute();
}

export function findCode(tx: Tx, hash: string): Promise<CodeRow | undefined> {
  return tx.db.selectFrom('oauth_codes').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/** Returns false if another request was first. */
export async function spendCode(tx: Tx, hash: string, tokenId: TokenId): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('oauth_codes')
    .set({ token_id: tokenId })
    .where('hash', '=', hash)
    .where('token_id', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function sweepCodes(db: Db, before: number): Promise<void> {
  await deleteInPieces(db, 'oauth_codes', sql`expires_at < ${before}`);
}
