import type { Platform } from '../src/platform/context.ts';
import { type BoardId, givenId, type SpaceId } from '../src/platform/db/ids.ts';
import type { Env } from '../src/platform/db/schema.ts';
import { piecesOf } from '../src/platform/pieces.ts';

/** Where many players have played. */
interface Crowded {
  /** The ids of the players contain it. */
  readonly slug: string;
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly boardId: BoardId;
}

/** Writes scores of as many players on a board, each with a stat. Nobody is ranked by that. */
export async function addCrowd(
  { database: { db }, clock }: Platform,
  { slug, spaceId, env, boardId }: Crowded,
  count: number,
): Promise<void> {
  const score = { board_id: boardId, meta: null, version: null, session: null, run: null };
  const stat = { space_id: spaceId, env, key: 'hops', value: 1, updated_at: 1 };
  const players = Array.from({ length: count }, (_, number) => givenId('usr', `usr_${slug}_${number}`));
  for (const some of piecesOf(players, 1_000)) {
    await db
      .insertInto('submissions')
      .values(some.map((player_id, at) => ({ ...score, player_id, score: at, created_at: clock.now() })))
      .execute();
    await db
      .insertInto('board_players')
      .values(some.map((player_id) => ({ player_id, board_id: boardId })))
      .execute();
    await db
      .insertInto('player_stats')
      .values(some.map((player_id) => ({ ...stat, player_id })))
      .execute();
  }
}
