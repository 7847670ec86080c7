import { sortOf } from '@spaceport/contract/board-order';
import type { Board } from '@spaceport/contract/boards';
import type { BoardDeclaration } from '@spaceport/contract/declarations';
import type { Selectable } from 'kysely';
import { toTimestamp } from '../platform/clock/clock.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import type { BoardsTable } from '../platform/db/schema.ts';

export type BoardRow = Selectable<BoardsTable>;

/** The declared settings of a board, as its row stores them. */
export type BoardSettings = Omit<
  BoardRow,
  'id' | 'space_id' | 'env' | 'position' | 'created_at' | 'updated_at' | 'ranked_as'
>;

/** The origin of the last write: a page (by its boards block or by service.json), or the API. */
export type Source = BoardRow['source'];

/**
 * Fills a declaration with defaults. A declaration replaces the whole board, so settings that it leaves out
 * get their default.
 */
export function completeBoard(declared: BoardDeclaration, source: Source): BoardSettings {
  const metric = declared.metric ?? 'score';
  return {
    key: declared.key,
    title: declared.title ?? declared.key,
    metric,
    sort: sortOf(declared),
    trust: declared.trust ?? 'client',
    keep: declared.keep ?? 'best',
    unit: declared.unit ?? null,
    decimals: declared.decimals ?? 0,
    min: declared.min ?? null,
    max: declared.max ?? null,
    min_seconds: declared.min_seconds ?? null,
    max_per_second: declared.max_per_second ?? null,
    periods: toJson(declared.periods ?? ['all']),
    source,
  };
}

/**
 * Returns whether these settings change the ranking. Bounds do not: they apply
 * only to scores posted from now on.
 */
export function ranksOtherwise(row: BoardSettings, next: BoardSettings): boolean {
  return row.sort !== next.sort || row.keep !== next.keep || periodSet(row) !== periodSet(next);
}

/** Returns the periods without their order, which decides only which ranking is the first. */
function periodSet({ periods }: Pick<BoardSettings, 'periods'>): string {
  return periodsOf({ periods }).toSorted().join();
}

function periodsOf({ periods }: Pick<BoardSettings, 'periods'>): Board['periods'] {
  return fromJson(periods);
}

/** Returns a board as answers show it. */
export function toBoard(row: BoardRow, entries: number): Board {
  const { id: _, space_id: __, env: ___, position: ____, ranked_as: _____, ...shown } = row;
  return {
    ...shown,
    periods: periodsOf(row),
    entries,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
