import type { Board } from '@spaceport/contract/boards';
import type { BoardEntries } from '@spaceport/contract/entries';
import { client } from '../../../data/client.ts';

/** The ranking that is shown. */
export interface ShownEntries {
  readonly slug: string;
  readonly board: Board;
  readonly period: Board['periods'][number];
  readonly sandbox: boolean;
}

/** Returns the board and ranking in the address, else the first ones; null if there is no board. */
export function shownOf(
  slug: string,
  boards: readonly Board[],
  query: { get(name: string): string | null },
): ShownEntries | null {
  const board = boards.find(({ key }) => key === query.get('board')) ?? boards[0];
  if (!board) return null;
  const period = board.periods.find((each) => each === query.get('period')) ?? board.periods[0] ?? 'all';
  return { slug, board, period, sandbox: query.get('env') === 'sandbox' };
}

export function nameOf({ board, period, sandbox }: ShownEntries): string {
  return `${board.key} ${period} ${sandbox}`;
}

/** Requests a page of a ranking. */
export async function askEntries(
  { slug, board, period, sandbox }: ShownEntries,
  cursor?: string,
  signal?: AbortSignal,
): Promise<BoardEntries> {
  return client.readOwnEntries(
    {
      params: { slug, key: board.key },
      query: { period, sandbox: sandbox ? 'true' : 'false', ...(cursor === undefined ? {} : { cursor }) },
    },
    { signal },
  );
}
