import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import { deleteInPieces } from '../../platform/db/delete-pieces.ts';
import { oneOf } from '../../platform/db/dialect.ts';
import type { AccountId, DeviceLoginId, SpaceId } from '../../platform/db/ids.ts';
import type { Db, DeviceLoginsTable } from '../../platform/db/schema.ts';
import type { Tx } from '../../platform/db/tx.ts';

export type DeviceLoginRow = Selectable<DeviceLoginsTable>;

export async function insertLogin(
  db: Db,
  login: Omit<Insertable<DeviceLoginsTable>, 'space_id'>,
): Promise<void> {
  await db
    .insertInto('device_logins')
    .values({ ...login, space_id: null })
    .execute();
}

export function findByDeviceHash(tx: Tx, deviceHash: string): Promise<DeviceLoginRow | undefined> {
  return tx.db
    .selectFrom('device_logins')
    .selectAll()
    .where('device_hash', '=', deviceHash)
    .executeTakeFirst();
}

export function findByUserCode(tx: Tx, userCode: string): Promise<DeviceLoginRow | undefined> {
  return tx.db.selectFrom('device_logins').selectAll().where('user_code', '=', userCode).executeTakeFirst();
}

export async function notePoll(
  tx: Tx,
  id: DeviceLoginId,
  polledAt: number,
  intervalSeconds: number,
): Promise<void> {
  await tx.db
    .updateTable('device_logins')
    .set({ polled_at: polledAt, interval_seconds: intervalSeconds })
    .where('id', '=', id)
    .execute();
}

/** The creator's decision; if approved, with the scopes and the space of the token. */
export type LoginDecision = { readonly creatorId: AccountId } & (
  | { readonly status: 'denied' }
  | { readonly status: 'approved'; readonly scopes: string; readonly spaceId: SpaceId | null }
);

/** Returns false if it was decided already. */
export async function decideLogin(tx: Tx, id: DeviceLoginId, decision: LoginDecision): Promise<boolean> {
  const given = decision.status === 'approved' ? { scopes: decision.scopes, space_id: decision.spaceId } : {};
  const { numUpdatedRows } = await tx.db
    .updateTable('device_logins')
    .set({ status: decision.status, creator_id: decision.creatorId, ...given })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns false if another request was first. */
export async function spendLogin(tx: Tx, id: DeviceLoginId): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('device_logins')
    .set({ status: 'exchanged' })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the hashes among these whose logins can be exchanged, now or after approval. */
export async function findLiveDeviceHashes(
  db: Db,
  hashes: readonly string[],
  now: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('device_logins')
    .select('device_hash')
    .where('device_hash', 'in', oneOf(db, hashes))
    .where('status', 'in', ['pending', 'approved'])
    .where('expires_at', '>', now)
    .execute();
  return rows.map(({ device_hash }) => device_hash);
}

/**
 * Logins are kept a day after their end, so that a device which still asks is told that its code has expired.
 */
const keptMs = 24 * 3_600_000;

export async function sweepLogins(db: Db, now: number): Promise<void> {
  await deleteInPieces(db, 'device_logins', sql`expires_at <= ${now - keptMs}`);
}
