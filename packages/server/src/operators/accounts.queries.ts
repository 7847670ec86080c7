import { type Expression, type SqlBool, sql } from 'kysely';
import { afterCursor, upToCursor } from '../platform/db/after-cursor.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { CreatorsTable, Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';
import { anyContains, contains } from './contains.queries.ts';
import { findInPieces, type Piece } from './find-in-pieces.ts';
import { findRowAfter } from './row-after.queries.ts';

export type AccountRow = Pick<
  CreatorsTable,
  'id' | 'handle' | 'name' | 'email' | 'operator' | 'banned_at' | 'created_at'
> & { readonly spaces: number };

function selectAccounts(db: Db) {
  return db
    .selectFrom('creators as account')
    .where('account.deleted_at', 'is', null)
    .select([
      'account.id',
      'account.handle',
      'account.name',
      'account.email',
      'account.operator',
      'account.banned_at',
      'account.created_at',
    ])
    .select((select) =>
      select
        .selectFrom('spaces')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('owner_id', '=', 'account.id')
        .$castTo<{ count: number }>()
        .as('spaces'),
    )
    .$castTo<AccountRow>();
}

export async function findAccount(db: Db, handle: string): Promise<AccountRow | undefined> {
  return selectAccounts(db).where('account.handle', '=', handle).executeTakeFirst();
}

/**
 * Returns accounts, newest first.
 * @param q as it was typed; empty for all accounts
 * @param banned null for banned and other accounts
 */
export async function findAccounts(
  db: Db,
  { q, banned }: { q: string; banned: boolean | null },
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<AccountRow[]> {
  const find = (piece: Piece, most: number) => {
    let query = selectAccounts(db)
      .orderBy('account.created_at', 'desc')
      .orderBy('account.id', 'desc')
      .limit(most);
    if (q !== '') query = query.where(isFoundBy(q));
    if (banned !== null) query = query.where('account.banned_at', banned ? 'is not' : 'is', null);
    if (piece.after) query = query.where(afterCursor('account.created_at', 'account.id', piece.after));
    if (piece.upTo) query = query.where(upToCursor('account.created_at', 'account.id', piece.upTo));
    return query.execute();
  };
  if (q === '' && banned !== true) return find({ after, upTo: null }, limit);
  return findInPieces(
    { after, limit },
    (from, rows) => findRowAfter(db, 'creators', { after: from, rows }),
    find,
  );
}

/** Handles and addresses are in lower case. A name is as its owner spells it, and engines fold only some letters. */
function isFoundBy(q: string): Expression<SqlBool> {
  const folded = q.toLowerCase();
  return sql<SqlBool>`(${anyContains(['account.handle', 'account.email'], folded)}
    or ${contains(sql`lower(account.name)`, folded)} or ${contains(sql`account.name`, q)})`;
}

export async function findEmail(db: Db, id: AccountId): Promise<string | null> {
  const row = await db.selectFrom('creators').select('email').where('id', '=', id).executeTakeFirst();
  return row?.email ?? null;
}
