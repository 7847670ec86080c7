import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { byteOrder, oneOfList, rowsOfList } from '../platform/db/dialect.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared, preparedForEach } from '../platform/db/prepared.ts';
import { preparedInsert } from '../platform/db/prepared-insert.ts';
import type { Db, IdempotentAnswersTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { mustAt } from '../platform/must.ts';

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

/** The keys of a space that begin with `from` are to begin with `to`. `from` is in ASCII. */
export interface RenamedKeys {
  readonly spaceId: SpaceId;
  readonly from: string;
  readonly to: string;
}

/**
 * Renames keys in many spaces. An answer since `since` (epoch milliseconds) that has the new name already stays, and the
 * renamed one is dropped.
 */
export async function renameKeys(tx: Tx, spaces: readonly RenamedKeys[], since: number): Promise<void> {
  const found = await findBeginning(tx.db, {
    rows: listOf(spaces.map(({ spaceId, from }, at) => [at, spaceId, from, afterAll(from)])),
  });
  if (found.length === 0) return;
  const renamed = found.map(({ at, key }) => {
    const { spaceId, from, to } = mustAt(spaces, at);
    return [spaceId, key, to + key.slice(from.length)];
  });
  await copyKeys(tx.db, { rows: listOf(renamed), since });
  await deleteKeys(tx.db, { rows: listOf(renamed) });
}

/** Returns the first text behind all that begin with this one, in the order of bytes. */
function afterAll(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

const findBeginning = preparedForEach((db, { rows }: Given<{ rows: List<Cells> }>) => {
  const { atLeast, below } = byteOrder(db);
  return sql<{ at: number; key: string }>`
    with p as materialized (
      select cast(c0 as integer) as at, c1 as space, c2 as from_key, c3 as end_key
      from ${rowsOfList(db, rows, ['integer', 'text', 'text', 'text'])} as given)
    select p.at, answer.key from p cross join idempotent_answers as answer
    where answer.space_id = p.space and answer.key ${atLeast} p.from_key and answer.key ${below} p.end_key`;
});

const copyKeys = preparedForEach(
  (db, { rows, since }: Given<{ rows: List<Cells>; since: number }>) => sql`
    insert into idempotent_answers (space_id, key, request_hash, status, answer, created_at)
    select before.space_id, p.c2, before.request_hash, before.status, before.answer, before.created_at
    from ${rowsOfList(db, rows, 3)} as p cross join idempotent_answers as before
    where before.space_id = p.c0 and before.key = p.c1
    on conflict (space_id, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      answer = excluded.answer, created_at = excluded.created_at
    where idempotent_answers.created_at <= ${since}`,
);

const deleteKeys = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql`
    delete from idempotent_answers
    where (space_id, key) in (select c0, c1 from ${rowsOfList(db, rows, 3)} as p)`,
);

export async function deleteAnswersUpTo(db: Db, instant: number): Promise<void> {
  await deleteInPieces(db, 'idempotent_answers', sql`created_at <= ${instant}`);
}
