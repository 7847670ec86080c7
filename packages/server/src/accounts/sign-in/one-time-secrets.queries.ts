import { createHash } from 'node:crypto';
import type { Db } from '../../platform/db/schema.ts';
import { newId } from '../../platform/secrets/id.ts';

/** A secret that somebody was given: what it is for, which is hashed with it, and itself. */
export interface Presented {
  readonly purpose: string;
  readonly secret: string;
}

/** Keeps what a secret stands for, under the hash of the secret. */
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

/** What a secret stands for; null for one that is wrong, used or too old. */
export async function findSecret(db: Db, presented: Presented, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('auth_verifications')
    .select('value')
    .where('identifier', '=', hashOf(presented))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** The same, and uses it up. It is one statement, so that only one of two who use it at once gets it. */
export async function useSecret(db: Db, presented: Presented, now: number): Promise<string | null> {
  const row = await db
    .deleteFrom('auth_verifications')
    .where('identifier', '=', hashOf(presented))
    .where('expires_at', '>', now)
    .returning('value')
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Drops the links and challenges that nobody may use any more. */
export async function sweepSecrets(db: Db, now: number): Promise<void> {
  await db.deleteFrom('auth_verifications').where('expires_at', '<=', now).execute();
}

function hashOf({ purpose, secret }: Presented): string {
  return createHash('sha256').update(`${purpose}:${secret}`).digest('base64url');
}
