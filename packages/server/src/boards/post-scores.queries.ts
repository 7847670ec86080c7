import { sql } from 'kysely';
import { oneOfList } from '../platform/db/dialect.ts';
import {
  type AccountId,
  type BoardId,
  givenId,
  type PlayerId,
  type PlaySessionId,
  type RunId,
  type SpaceId,
} from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import { preparedInsert } from '../platform/db/prepared-insert.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { BoardRow } from './board-settings.ts';

/** Returns the boards of these spaces with these keys, live and in the sandbox. */
export async function findBoardsOf(
  tx: Tx,
  spaceIds: readonly SpaceId[],
  keys: readonly string[],
): Promise<BoardRow[]> {
  return findAmong(tx.db, { spaceIds: listOf(spaceIds), keys: listOf(keys) });
}

const findAmong = prepared((db, { spaceIds, keys }: Given<{ spaceIds: List<SpaceId>; keys: List<string> }>) =>
  db
    .selectFrom('boards')
    .selectAll()
    .where('space_id', 'in', oneOfList(db, spaceIds))
    .where('key', 'in', oneOfList(db, keys)),
);

/**
 * Returns a function that tells whether one of these players is banned from one of these spaces, by
 * its creator or from the service.
 */
export async function findBansOf(
  { db }: { readonly db: Db },
  spaceIds: readonly SpaceId[],
  playerIds: readonly PlayerId[],
): Promise<(spaceId: SpaceId, playerId: PlayerId) => boolean> {
  const bans = await findBans(db, {
    spaceIds: listOf(spaceIds),
    playerIds: listOf(playerIds),
    // Ids of guests match no account.
    accountIds: listOf(playerIds.map((id) => givenId('usr', id))),
  });
  if (bans.length === 0) return () => false;
  const banned = new Set(bans.map(({ space_id, player_id }) => `${space_id} ${player_id}`));
  return (spaceId, playerId) =>
    banned.has(`${spaceId} ${playerId}`) || banned.has(`${everywhere} ${playerId}`);
}

const everywhere = '*';

interface Banned {
  readonly spaceIds: List<SpaceId>;
  readonly playerIds: List<PlayerId>;
  readonly accountIds: List<AccountId>;
}

const findBans = prepared((db, { spaceIds, playerIds, accountIds }: Given<Banned>) =>
  db
    .selectFrom('bans')
    .select(['space_id', 'player_id'])
    .where('space_id', 'in', oneOfList(db, spaceIds))
    .where('player_id', 'in', oneOfList(db, playerIds))
    .unionAll(
      db
        .selectFrom('creators')
        .select([sql<SpaceId>`${sql.lit(everywhere)}`.as('space_id'), 'id as player_id'])
        .where('id', 'in', oneOfList(db, accountIds))
        .where('banned_at', 'is not', null),
    ),
);

export interface NewSubmission {
  /** From `takeIds`. */
  readonly id: number;
  readonly boardId: BoardId;
  readonly playerId: PlayerId;
  readonly score: number;
  readonly meta: string | null;
  /** The version that it was played in; null for posts by a space's own server. */
  readonly version: number | null;
  readonly session: PlaySessionId | null;
  readonly run: RunId | null;
  readonly createdAt: number;
}

export async function insertSubmissions(tx: Tx, submissions: readonly NewSubmission[]): Promise<void> {
  await insertRows(
    tx,
    submissions.map(({ id, boardId, playerId, score, meta, version, session, run, createdAt }) => [
      id,
      boardId,
      playerId,
      score,
      meta,
      version,
      session,
      run,
      createdAt,
    ]),
  );
}

const insertRows = preparedInsert('submissions', {
  id: 'bigint',
  board_id: 'text',
  player_id: 'text',
  score: 'double precision',
  meta: 'text',
  version: 'integer',
  session: 'text',
  run: 'text',
  created_at: 'bigint',
});

/** Records which players have posted to which boards. */
export async function insertPlayers(
  tx: Tx,
  players: readonly { readonly playerId: PlayerId; readonly boardId: BoardId }[],
): Promise<void> {
  await insertPlayerRows(
    tx,
    players.map(({ playerId, boardId }) => [playerId, boardId]),
  );
}

const insertPlayerRows = preparedInsert(
  'board_players',
  { player_id: 'text', board_id: 'text' },
  sql`on conflict do nothing`,
);
