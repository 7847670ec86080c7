import { ServiceError } from '../errors.ts';

/** The end of a page of a list: the next page starts after it, in the list's order. */
export interface Cursor {
  /** The value that the list is ordered by. */
  readonly value: number;
  /** The tie-breaker between rows with the same value. */
  readonly id: string;
}

function encodeCursor({ value, id }: Cursor): string {
  return Buffer.from(`${value} ${id}`).toString('base64url');
}

/**
 * Decodes a cursor. Returns null if none was given.
 * @throws `invalid` if it is not one that we made
 */
export function decodeCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const match = /^(\d{1,15}) ([a-z]{3}_[0-9a-z]{16})$/u.exec(Buffer.from(text, 'base64url').toString());
  const [, value, id] = match ?? [];
  if (value === undefined || id === undefined) {
    throw new ServiceError('invalid', 'The cursor does not belong to this list.', {
      issues: [{ path: 'cursor', message: 'is not the `next` of an earlier answer' }],
    });
  }
  return { value: Number(value), id };
}

/**
 * Splits the result of a query for `limit + 1` rows into the page and the cursor of the next page, or null.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): { page: Row[]; next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rows.length > limit && last !== undefined ? encodeCursor(cursorOf(last)) : null };
}
