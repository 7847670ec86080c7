import { sql } from 'kysely';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** What an account has played, the last first. */
export interface AccountPlay {
  readonly spaceId: SpaceId;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly playedMs: number;
}

export async function findAccountPlays(db: Db, accountId: AccountId): Promise<AccountPlay[]> {
  return db
    .selectFrom('account_plays')
    .select(['space_id as spaceId', 'first_at as firstAt', 'last_at as lastAt', 'played_ms as playedMs'])
    .where('account_id', '=', accountId)
    .orderBy('last_at', 'desc')
    .orderBy('space_id')
    .execute();
}

/** The time since the last moment counts as played where that is not longer ago than `pauseMs`. */
export async function addMoment(
  tx: Tx,
  { accountId, spaceId, pauseMs }: { accountId: AccountId; spaceId: SpaceId; pauseMs: number },
): Promise<void> {
  const { now } = tx;
  await sql`
    insert into account_plays (account_id, space_id, first_at, last_at, played_ms)
    select cast(${accountId} as text), id, cast(${now} as bigint), cast(${now} as bigint), 0
    from spaces where id = ${spaceId}
    on conflict (account_id, space_id) do update set last_at = excluded.last_at,
      played_ms = account_plays.played_ms + case
        when excluded.last_at > account_plays.last_at and excluded.last_at - account_plays.last_at <= ${sql.lit(pauseMs)}
        then excluded.last_at - account_plays.last_at else 0 end`.execute(tx.db);
}

export async function deleteAccountPlays(db: Db, accountId: AccountId): Promise<void> {
  await db.deleteFrom('account_plays').where('account_id', '=', accountId).execute();
}
