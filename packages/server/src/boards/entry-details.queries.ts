import { sql } from 'kysely';
import { rowsOfList } from '../platform/db/dialect.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, preparedRead } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';

/** Names an entry by its player and its submission. */
export interface NamedEntry {
  readonly player_id: AccountId;
  readonly submission_id: number;
}

/** What a page of a ranking shows of an entry besides its place. */
export interface EntryDetails {
  /** Null if the account was deleted. */
  readonly handle: string | null;
  /** When the submission arrived, in epoch milliseconds. */
  readonly created_at: number;
}

/** Details as a statement reads them together with an entry. Without any, they have not been read. */
export interface DetailsRead {
  readonly handle?: string | null;
  /** Null if the submission was deleted. */
  readonly created_at?: number | null;
}

/** Returns the details of these entries in one statement. Entries whose account or submission is gone are left out. */
export async function findDetails(
  db: Db,
  entries: readonly NamedEntry[],
): Promise<(NamedEntry & EntryDetails)[]> {
  const rows = entries.map(({ player_id, submission_id }) => [player_id, submission_id]);
  return findRows(db, { rows: listOf(rows) });
}

const findRows = preparedRead(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<NamedEntry & EntryDetails>`
    select player.id as player_id, submission.id as submission_id, player.handle, submission.created_at
    from ${rowsOfList(db, rows, ['text', 'bigint'])} as given
      cross join creators as player cross join submissions as submission
    where player.id = given.c0 and submission.id = cast(given.c1 as bigint)`,
);
