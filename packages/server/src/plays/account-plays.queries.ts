import { sql } from 'kysely';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/**
 * Adds a moment of play. The time since the last moment counts as played if it is not longer than `pauseMs`.
 */
export async function addMoment(
  tx: Tx,
  {
    accountId,
    spaceId,
    at,
    pauseMs,
  }: { accountId: AccountId; spaceId: SpaceId; at: number; pauseMs: number },
): Promise<void> {
  await sql`
    insert into account_plays (account_id, space_id, first_at, last_at, played_ms)
    select cast(${accountId} as text), id, cast(${at} as bigint), cast(${at} as bigint), 0
    from spaces where id = ${spaceId}
    on conflict (account_id, space_id) do update set last_at = excluded.last_at,
      played_ms = account_plays.played_ms + case
        when excluded.last_at > account_plays.last_at and excluded.last_at - account_plays.last_at <= ${sql.lit(pauseMs)}
        then excluded.last_at - account_plays.last_at else 0 end`.execute(tx.db);
}

export async function deleteAccountPlays(db: Db, accountId: AccountId): Promise<void> {
  await db.deleteFrom('account_plays').where('account_id', '=', accountId).execute();
}
