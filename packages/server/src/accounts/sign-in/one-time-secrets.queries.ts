import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { deleteUnindexed } from '../../platform/db/delete-pieces.ts';
import type { AccountId } from '../../platform/db/ids.ts';
import type { Db } from '../../platform/db/schema.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId } from '../../platform/secrets/id.ts';

/** A secret that was presented, and its purpose, which is hashed with it. */
export interface Presented {
  readonly purpose: string;
  readonly secret: string;
}

/** Stores the value of a secret under the hash of the secret. */
export async function insertSecret(
  db: Db,
  presented: Presented,
  { value, now, expiresAt }: { value: string; now: number; expiresAt: number },
): Promise<void> {
  await db
    .insertInto('auth_verifications')
    .values({
      id: newId('auth'),
      identifier: hashOf(presented),
      value,
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** Returns the value of a secret; null for one that is wrong, used or too old. */
export async function findSecret(db: Db, presented: Presented, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('auth_verifications')
    .select('value')
    .where('identifier', '=', hashOf(presented))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.value ?? null;
}

/**
 * Returns the value of a secret and uses it up. It is one statement, so that only one of two
 * simultaneous callers gets the value.
 */
export async function useSecret(db: Db, presented: Presented, now: number): Promise<string | null> {
  const row = await db
    .deleteFrom('auth_verifications')
    .where('identifier', '=', hashOf(presented))
    .where('expires_at', '>', now)
    .returning('value')
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Makes all secrets with a value invalid: the links by which an account's password can be reset have its id. */
export async function dropSecrets(tx: Tx, value: AccountId): Promise<void> {
  await tx.db.deleteFrom('auth_verifications').where('value', '=', value).execute();
}

/** Deletes expired links and challenges. */
export async function sweepSecrets(db: Db, now: number): Promise<void> {
  await deleteUnindexed(db, 'auth_verifications', sql`expires_at <= ${now}`);
}

function hashOf({ purpose, secret }: Presented): string {
  return createHash('sha256').update(`${purpose}:${secret}`).digest('base64url');
}
