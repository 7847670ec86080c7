import type { Insertable } from 'kysely';
import type { AccountId } from '../platform/db/ids.ts';
import type { CreatorsTable, Db, Flag } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';

export interface Creator {
  readonly id: AccountId;
  readonly handle: string | null;
  readonly name: string;
  readonly operator: boolean;
  readonly bannedAt: number | null;
  readonly createdAt: number;
}

const creatorColumns = [
  'id',
  'handle',
  'name',
  'operator',
  'banned_at as bannedAt',
  'created_at as createdAt',
] as const;

export async function findCreator(db: Db, id: AccountId): Promise<Creator | undefined> {
  const row = await db.selectFrom('creators').select(creatorColumns).where('id', '=', id).executeTakeFirst();
  return row && toCreator(row);
}

export async function findCreatorByHandle(db: Db, handle: string): Promise<Creator | undefined> {
  const row = await db
    .selectFrom('creators')
    .select(creatorColumns)
    .where('handle', '=', handle)
    .executeTakeFirst();
  return row && toCreator(row);
}

function toCreator(row: Omit<Creator, 'operator'> & { readonly operator: Flag }): Creator {
  return { ...row, operator: row.operator === 1 };
}

export async function insertCreator(tx: Tx, creator: Insertable<CreatorsTable>): Promise<void> {
  await tx.db.insertInto('creators').values(creator).execute();
}

/** Sets the password of an account, whether or not it had one. */
export async function keepPassword(
  tx: Tx,
  { creatorId, passwordHash }: { creatorId: AccountId; passwordHash: string },
): Promise<void> {
  const changed = { password: passwordHash, updated_at: tx.now };
  await tx.db
    .insertInto('auth_accounts')
    .values({
      id: newId('auth'),
      provider_id: 'credential',
      account_id: creatorId,
      creator_id: creatorId,
      created_at: tx.now,
      ...changed,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doUpdateSet(changed))
    .execute();
}

/** Returns false if the password is no longer `from`. */
export async function changePassword(
  tx: Tx,
  { creatorId, from, to }: { creatorId: AccountId; from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('auth_accounts')
    .set({ password: to, updated_at: tx.now })
    .where('creator_id', '=', creatorId)
    .where('provider_id', '=', 'credential')
    .where('password', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function anyAccount(db: Db): Promise<boolean> {
  return (await db.selectFrom('creators').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function anyOperator(tx: Tx): Promise<boolean> {
  const row = await tx.db
    .selectFrom('creators')
    .select('id')
    .where('operator', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records that somebody has signed up on the page; the record stays when that account is deleted. Returns
 * whether this is the first sign-up.
 */
export async function noteSignUp(tx: Tx): Promise<boolean> {
  const name = 'first_sign_up';
  const known = await tx.db.selectFrom('settings').select('name').where('name', '=', name).executeTakeFirst();
  if (known) return false;
  await tx.db.insertInto('settings').values({ name, value: 'done' }).execute();
  return true;
}

/** Returns false if nothing changes. */
export async function setOperator(tx: Tx, id: AccountId, operator: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('creators')
    .set({ operator: operator ? 1 : 0, updated_at: tx.now })
    .where('id', '=', id)
    .where('operator', '=', operator ? 0 : 1)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function emailIsTaken(db: Db, email: string): Promise<boolean> {
  return (await findIdByEmail(db, email)) !== null;
}

/** Returns the account with an address, which is given in lower case. */
export async function findIdByEmail(db: Db, email: string): Promise<AccountId | null> {
  const row = await db.selectFrom('creators').select('id').where('email', '=', email).executeTakeFirst();
  return row?.id ?? null;
}

/** Returns false if the account has a handle already. */
export async function setHandle(tx: Tx, id: AccountId, handle: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('creators')
    .set({ handle, updated_at: tx.now })
    .where('id', '=', id)
    .where('handle', 'is', null)
    .executeTakeFirst();
  announceShown(tx, `person:${id}`);
  return numUpdatedRows === 1n;
}

export async function setName(tx: Tx, id: AccountId, name: string): Promise<void> {
  await tx.db.updateTable('creators').set({ name, updated_at: tx.now }).where('id', '=', id).execute();
  announceShown(tx, `person:${id}`);
}

/** Sets the address, confirmed. Returns false if the account's address is no longer `from`. */
export async function setEmail(
  tx: Tx,
  { creatorId, from, to }: { creatorId: AccountId; from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('creators')
    .set({ email: to, email_verified: 1, updated_at: tx.now })
    .where('id', '=', creatorId)
    .where('email', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the account's password hash as `hashPassword` made it; null if it has none. */
export async function findPasswordHash(db: Db, creatorId: AccountId): Promise<string | null> {
  const row = await db
    .selectFrom('auth_accounts')
    .select('password')
    .where('creator_id', '=', creatorId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return row?.password ?? null;
}

/** Returns false if the address was confirmed already. */
export async function setEmailVerified(tx: Tx, id: AccountId): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('creators')
    .set({ email_verified: 1, updated_at: tx.now })
    .where('id', '=', id)
    .where('email_verified', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
