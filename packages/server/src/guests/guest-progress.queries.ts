import type { GuestId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { GuestPlace } from './guests.ts';

export async function findGuestValue(
  tx: Tx,
  { guestId, spaceId, env }: GuestPlace,
  stat: string,
): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('guest_stats')
    .select('value')
    .where('guest_id', '=', guestId)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', stat)
    .executeTakeFirst();
  return row?.value;
}

/** Returns what the guest has unlocked in a place, the newest first. */
export async function findUnlocksAt(
  db: Db,
  { guestId, spaceId, env }: GuestPlace,
): Promise<{ key: string; unlocked_at: number }[]> {
  return db
    .selectFrom('guest_unlocks')
    .select(['key', 'unlocked_at'])
    .where('guest_id', '=', guestId)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .orderBy('unlocked_at', 'desc')
    .orderBy('key')
    .execute();
}

export async function putGuestValue(
  tx: Tx,
  { guestId, spaceId, env }: GuestPlace,
  stat: string,
  value: number,
): Promise<void> {
  await tx.db
    .insertInto('guest_stats')
    .values({ guest_id: guestId, space_id: spaceId, env, key: stat, value, updated_at: tx.now })
    .onConflict((conflict) =>
      conflict.columns(['guest_id', 'space_id', 'env', 'key']).doUpdateSet({ value, updated_at: tx.now }),
    )
    .execute();
}

export async function insertGuestUnlocks(
  tx: Tx,
  { guestId, spaceId, env }: GuestPlace,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await tx.db
    .insertInto('guest_unlocks')
    .values(keys.map((key) => ({ guest_id: guestId, space_id: spaceId, env, key, unlocked_at: tx.now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the values of all stats of a guest. */
export async function findGuestStats(
  tx: Tx,
  guestId: GuestId,
): Promise<{ spaceId: SpaceId; env: Env; key: string; value: number }[]> {
  return tx.db
    .selectFrom('guest_stats')
    .select(['space_id as spaceId', 'env', 'key', 'value'])
    .where('guest_id', '=', guestId)
    .orderBy('space_id')
    .orderBy('env')
    .orderBy('key')
    .execute();
}

/** Returns everything that a guest has unlocked. */
export async function findGuestUnlocks(
  tx: Tx,
  guestId: GuestId,
): Promise<{ spaceId: SpaceId; env: Env; key: string; unlockedAt: number }[]> {
  return tx.db
    .selectFrom('guest_unlocks')
    .select(['space_id as spaceId', 'env', 'key', 'unlocked_at as unlockedAt'])
    .where('guest_id', '=', guestId)
    .orderBy('space_id')
    .orderBy('env')
    .orderBy('key')
    .execute();
}

export async function deleteGuestProgress(tx: Tx, guestId: GuestId): Promise<void> {
  for (const table of ['guest_stats', 'guest_unlocks'] as const)
    await tx.db.deleteFrom(table).where('guest_id', '=', guestId).execute();
}

/** Deletes the progress of guests in the sandbox of a space. Returns how many rows were deleted. */
export async function clearSandboxProgress(tx: Tx, spaceId: SpaceId): Promise<number> {
  let count = 0;
  for (const table of ['guest_stats', 'guest_unlocks'] as const) {
    const { numDeletedRows } = await tx.db
      .deleteFrom(table)
      .where('space_id', '=', spaceId)
      .where('env', '=', 'sandbox')
      .executeTakeFirst();
    count += Number(numDeletedRows);
  }
  return count;
}
