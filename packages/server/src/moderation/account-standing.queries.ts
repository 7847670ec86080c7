import type { Db, Tx } from '../platform/db/schema.ts';

/** What decides how an account stands in the spaces it plays in: another value once that has changed. */
export interface AccountStanding {
  readonly bannedAt: number | null;
}

export async function findStanding(db: Db | Tx, accountId: string): Promise<AccountStanding | undefined> {
  return db
    .selectFrom('creators')
    .select('banned_at as bannedAt')
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** Spaces behind `after`, in the order of their ids, on whose boards the account has submissions. */
export async function findSpacesPlayed(
  db: Db,
  accountId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('boards')
    .select('space_id')
    .distinct()
    .where('space_id', '>', after)
    .where((where) =>
      where.exists(
        where
          .selectFrom('submissions')
          .select('submissions.id')
          .whereRef('submissions.board_id', '=', 'boards.id')
          .where('submissions.player_id', '=', accountId),
      ),
    )
    .orderBy('space_id')
    .limit(limit)
    .execute();
  return rows.map(({ space_id }) => space_id);
}
