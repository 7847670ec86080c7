import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { oneOfList } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import { preparedInsert } from '../platform/db/prepared-insert.ts';
import type { Db, IdempotentAnswersTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the answers of these spaces to these keys since `since` (epoch milliseconds). */
export async function findAnswers(
  tx: Tx,
  keys: readonly { readonly spaceId: SpaceId; readonly key: string }[],
  since: number,
): Promise<IdempotentAnswersTable[]> {
  const spaceIds = [...new Set(keys.map(({ spaceId }) => spaceId))];
  const names = keys.map(({ key }) => key);
  return findAmong(tx.db, { spaceIds: listOf(spaceIds), names: listOf(names), since });
}

interface Asked {
  readonly spaceIds: List<SpaceId>;
  readonly names: List<string>;
  readonly since: number;
}

const findAmong = prepared((db, { spaceIds, names, since }: Given<Asked>) =>
  db
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('space_id', 'in', oneOfList(db, spaceIds))
    .where('key', 'in', oneOfList(db, names))
    .where('created_at', '>', since),
);

/** Writes answers. They replace answers to the same keys that are over a day old. */
export async function putAnswers(tx: Tx, rows: readonly IdempotentAnswersTable[]): Promise<void> {
  await putRows(
    tx,
    rows.map((row) => [row.space_id, row.key, row.request_hash, row.status, row.answer, row.created_at]),
  );
}

const putRows = preparedInsert(
  'idempotent_answers',
  {
    space_id: 'text',
    key: 'text',
    request_hash: 'text',
    status: 'integer',
    answer: 'text',
    created_at: 'bigint',
  },
  sql`on conflict (space_id, key) do update set request_hash = excluded.request_hash, status = excluded.status,
    answer = excluded.answer, created_at = excluded.created_at`,
);

/**
 * Renames the keys of a space that begin with `from`, so that they begin with `to`. An answer since `since` (epoch
 * milliseconds) that has the new name already stays, and the renamed one is dropped.
 */
export async function renameKeys(
  tx: Tx,
  { spaceId, from, to }: { readonly spaceId: SpaceId; readonly from: string; readonly to: string },
  since: number,
): Promise<void> {
  const renamed = sql`space_id = ${spaceId} and substr(key, 1, cast(${from.length} as integer)) = ${from}`;
  await sql`
    insert into idempotent_answers (space_id, key, request_hash, status, answer, created_at)
    select space_id, cast(${to} as text) || substr(key, cast(${from.length + 1} as integer)),
      request_hash, status, answer, created_at
    from idempotent_answers where ${renamed}
    on conflict (space_id, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      answer = excluded.answer, created_at = excluded.created_at
    where idempotent_answers.created_at <= ${since}`.execute(tx.db);
  await sql`delete from idempotent_answers where ${renamed}`.execute(tx.db);
}

export async function deleteAnswersUpTo(db: Db, instant: number): Promise<void> {
  await deleteInPieces(db, 'idempotent_answers', sql`created_at <= ${instant}`);
}
