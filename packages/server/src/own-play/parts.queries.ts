import { type RawBuilder, sql } from 'kysely';
import { oneOfList } from '../platform/db/dialect.ts';
import { gathered } from '../platform/db/gathered-reads.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';

/** The parts of what an account has played. True if there may be something of a part. */
export interface OwnParts {
  readonly isPublic: boolean;
  readonly played: boolean;
  readonly scores: boolean;
  readonly unlocked: boolean;
  readonly made: boolean;
  readonly saves: boolean;
  readonly losers: boolean;
}

/**
 * Finds which parts an account has at all, so that only those are read: most players have two or three.
 * Look-ups that come together share one statement.
 */
export const findParts = gathered(async (db: Db, accountIds: readonly AccountId[]) => {
  const rows = await partsOf(db, { accountIds: listOf(accountIds) });
  return new Map(
    rows.map(({ id, plays_public, played, scores, unlocked, made, saves, losers }): [string, OwnParts] => [
      id,
      {
        isPublic: plays_public === 1,
        played: played === 1,
        scores: scores === 1,
        unlocked: unlocked === 1,
        made: made === 1,
        saves: saves === 1,
        losers: losers === 1,
      },
    ]),
  );
});

const partsOf = prepared((db, { accountIds }: Given<{ accountIds: List<AccountId> }>) =>
  db
    .selectFrom('creators as own')
    .select(['own.id', 'own.plays_public'])
    .select([
      hasRows(sql`select 1 from account_plays where account_id = own.id`).as('played'),
      hasRows(sql`select 1 from board_players where player_id = own.id`).as('scores'),
      hasRows(sql`select 1 from unlocks where player_id = own.id`).as('unlocked'),
      hasRows(sql`select 1 from content where player_id = own.id`).as('made'),
      hasRows(sql`select 1 from saves where player_id = own.id`).as('saves'),
      hasRows(sql`select 1 from save_losers where player_id = own.id`).as('losers'),
    ])
    .where('own.id', 'in', oneOfList(db, accountIds)),
);

function hasRows(rows: RawBuilder<unknown>) {
  return sql<number>`case when exists (${rows}) then 1 else 0 end`;
}
