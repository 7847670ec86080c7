import type { LRUCache } from 'lru-cache';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { newestOf } from '../platform/limits/newest-of.ts';
import type { BoardRow } from './board-settings.ts';

interface BoardName {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly key: string;
}

const mostKept = 2_000;
const all = new WeakMap<Db, LRUCache<string, BoardRow>>();

/**
 * Returns the row of a board as it was read last. It may have changed since, so the statement that uses it must
 * check what it uses of it.
 */
export function keptBoard(db: Db, { spaceId, env, key }: BoardName): BoardRow | undefined {
  return all.get(db)?.get(nameOf(spaceId, env, key));
}

export function keepBoard(db: Db, board: BoardRow): void {
  const boards = all.get(db) ?? newestOf<BoardRow>(mostKept);
  all.set(db, boards);
  boards.set(nameOf(board.space_id, board.env, board.key), board);
}

function nameOf(spaceId: SpaceId, env: Env, key: string): string {
  return `${spaceId} ${env} ${key}`;
}
