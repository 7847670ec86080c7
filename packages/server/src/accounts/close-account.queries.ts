import { sql } from 'kysely';
import { deleteByPages } from '../platform/db/delete-pieces.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';

/**
 * Deletes the data that identifies an account. The account is banned from then on, which stops everything
 * that is under way in its name.
 */
export async function emptyCreator(tx: Tx, id: AccountId): Promise<void> {
  const { handle } = await tx.db
    .selectFrom('creators')
    .select('handle')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (handle !== null) await tx.db.insertInto('spent_handles').values({ handle }).execute();
  await tx.db
    .updateTable('creators')
    .set({
      handle: null,
      name: 'Deleted account',
      email: `${id}@deleted.invalid`,
      email_verified: 0,
      operator: 0,
      banned_at: tx.now,
      deleted_at: tx.now,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .execute();
  announceShown(tx, `person:${id}`);
}

/** Deletes everything that signs the account in, or is about to. */
export async function deleteCredentials(tx: Tx, id: AccountId): Promise<void> {
  for (const table of [
    'auth_sessions',
    'auth_accounts',
    'auth_passkeys',
    'device_logins',
    'api_tokens',
  ] as const)
    await tx.db.deleteFrom(table).where('creator_id', '=', id).execute();
  // Links that reset its password contain its id.
  await tx.db.deleteFrom('auth_verifications').where('value', 'like', `%${id}%`).execute();
}

export async function isSpentHandle(db: Db, handle: string): Promise<boolean> {
  const row = await db
    .selectFrom('spent_handles')
    .select('handle')
    .where('handle', '=', handle)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether there is another operator who is not banned. */
export async function hasOtherOperator(tx: Tx, id: AccountId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('creators')
    .select('id')
    .where('operator', '=', 1)
    .where('banned_at', 'is', null)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the rows of closed accounts that own nothing any more. */
export async function deleteClosed(db: Db): Promise<void> {
  await deleteByPages(db, 'creators', {
    // Closed accounts are banned, and an index has those.
    among: sql`banned_at is not null and deleted_at is not null`,
    condition: sql`
      not exists (select 1 from spaces where spaces.owner_id = creators.id)
      and not exists (select 1 from jobs where jobs.ref = creators.id)`,
  });
}
