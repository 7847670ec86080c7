import { sql } from 'kysely';
import { rowsOfList } from '../platform/db/dialect.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, preparedRead } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';

/** What a page of a ranking shows of an entry besides its place. */
export interface EntryDetails {
  readonly player_id: AccountId;
  /** Null if the account was deleted. */
  readonly handle: string | null;
  /** When the submission arrived, in epoch milliseconds. */
  readonly created_at: number;
}

/** Details as a statement reads them together with an entry. Without any, they have not been read. */
export interface DetailsRead {
  readonly player_id?: AccountId;
  readonly handle?: string | null;
  /** Null if the submission was deleted. */
  readonly created_at?: number | null;
}

interface DetailsRow extends EntryDetails {
  readonly submission_id: number;
}

/**
 * Returns the details of the entries with these submissions, in one statement. Those whose account or submission is
 * gone are left out.
 */
export async function findDetails(db: Db, submissionIds: readonly number[]): Promise<DetailsRow[]> {
  return findRows(db, { rows: listOf(submissionIds.map((id) => [id])) });
}

const findRows = preparedRead(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<DetailsRow>`
    select submission.id as submission_id, submission.player_id, player.handle, submission.created_at
    from ${rowsOfList(db, rows, ['bigint'])} as given
      cross join submissions as submission cross join creators as player
    where submission.id = cast(given.c0 as bigint) and player.id = submission.player_id`,
);
