import { type CompiledQuery, type DialectAdapter, type RawBuilder, sql } from 'kysely';
import { rowsOfList, writesRowByRow } from './dialect.ts';
import { type Cells, type CellType, type List, listOf, mostRoom, type RowByRow } from './lists.ts';
import { type Given, preparedForEach } from './prepared.ts';
import type { Schema } from './schema.ts';
import type { Tx } from './tx.ts';

/**
 * Makes an insert of many rows that is built once for each database, like `prepared`. The cells of a row are in the
 * order of the columns. PostgreSQL takes the rows in one statement. SQLite runs a statement for each, so the rows
 * before one that fails stay until the transaction is rolled back: a statement of several rows would copy each page
 * that it changes, to be able to undo itself alone.
 * @param onConflict the `on conflict` clause
 */
export function preparedInsert<Table extends keyof Schema & string>(
  table: Table,
  columns: Readonly<Partial<Record<keyof Schema[Table] & string, CellType>>>,
  onConflict: RawBuilder<unknown> = sql``,
): (tx: Pick<Tx, 'db'>, rows: readonly Cells[]) => Promise<void> {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const types: CellType[] = Object.values(columns);
  const insert = (rows: RawBuilder<unknown>) =>
    sql`insert into ${sql.table(table)} (${names}) ${rows} ${onConflict}`;

  const insertAll = preparedForEach((db, { rows }: Given<{ rows: List<Cells> }>) =>
    insert(sql`select * from ${rowsOfList(db, rows, types)} as given where true`),
  );
  const insertOne = insert(sql`values (${sql.join(types.map(() => null))})`);
  const compiled = new WeakMap<DialectAdapter, CompiledQuery>();
  return async ({ db }, rows) => {
    if (rows.length === 0) return;
    if (!writesRowByRow(db)) return void (await insertAll(db, { rows: listOf(rows) }));
    const { adapter } = db.getExecutor();
    const statement = compiled.get(adapter) ?? insertOne.compile(db);
    compiled.set(adapter, statement);
    // In pieces, so that a long list leaves turns to other requests.
    for (let from = 0; from < rows.length; from += mostRoom) {
      const piece: RowByRow = { ...statement, each: rows.slice(from, from + mostRoom) };
      await db.executeQuery(piece);
    }
  };
}
