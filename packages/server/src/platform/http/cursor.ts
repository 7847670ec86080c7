import { ServiceError } from '../errors.ts';

/** Where a page of a list ended: what the next one starts after, by the list's order. */
export interface Cursor {
  /** The value that the list is ordered by. */
  readonly value: number;
  /** Decides between rows of one value. */
  readonly id: string;
}

export function encodeCursor({ value, id }: Cursor): string {
  return Buffer.from(`${value} ${id}`).toString('base64url');
}

/**
 * Null where none was given.
 * @throws `invalid` for one that we did not give out
 */
export function decodeCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const match = /^(\d{1,15}) ([a-z]{3}_[0-9a-z]{16})$/u.exec(Buffer.from(text, 'base64url').toString());
  const [, value, id] = match ?? [];
  if (value === undefined || id === undefined) {
    throw new ServiceError('invalid', 'The cursor is not one of this list.', {
      issues: [{ path: 'cursor', message: 'is not the `next` of a page' }],
    });
  }
  return { value: Number(value), id };
}

/** Splits what a query for `limit + 1` rows found into the page and the cursor of the next one. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): { page: Row[]; next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rows.length > limit && last !== undefined ? encodeCursor(cursorOf(last)) : null };
}
