import { type RawBuilder, sql } from 'kysely';
import { hasLateralJoins } from './dialect.ts';
import { gathered } from './gathered-reads.ts';
import { type Cells, type GivenList, type List, listOf } from './lists.ts';
import { type Given, preparedRead } from './prepared.ts';
import type { Db } from './schema.ts';

/** The most reads in one statement, if they are small. Several statements can use several cores of the database's machine. */
const mostSmall = 32;

/**
 * Like `preparedRead`, for a read that many callers make at the same moment, each with values of its own. On
 * PostgreSQL the reads of one turn of the event loop share a statement, at most `most`, because sending a statement and
 * reading its result takes longer than finding the rows of one read; equal reads are one. On SQLite, which runs in this
 * process, each read is a statement.
 *
 * `build` gets the values by name, as texts: it casts those that are no texts. Do not change the rows.
 */
export function preparedTogether<Name extends string, Row extends object>(
  names: readonly Name[],
  build: (db: Db, given: Readonly<Record<Name, RawBuilder<unknown>>>) => RawBuilder<Row>,
  most = mostSmall,
): (db: Db, values: Readonly<Record<Name, string | number | null>>) => Promise<readonly Row[]> {
  const named = (db: Db, cell: (column: number) => RawBuilder<unknown>) =>
    build(
      db,
      // It has every name.
      Object.fromEntries(names.map((name, column) => [name, cell(column)])) as Record<
        Name,
        RawBuilder<unknown>
      >,
    );
  const readOne = preparedRead((db, { rows }: Given<{ rows: List<Cells> }>) =>
    named(db, (column) => rows.cell(0, column)),
  );
  const readAll = preparedRead((db, { rows }: Given<{ rows: List<Cells> }>) =>
    forEachRow<Row>(
      rows,
      names.length,
      named(db, (column) => sql.ref(`asked.c${column}`)),
    ),
  );
  const readTogether = gathered(async (db: Db, keys: readonly string[]) => {
    const rows = await readAll(db, { rows: listOf(keys.map((key): Cells => JSON.parse(key))) });
    return Map.groupBy(rows, ({ at }) => keys[at - 1] ?? '');
  }, most);
  return async (db, values) => {
    const cells = names.map((name) => values[name]);
    if (!hasLateralJoins(db)) return readOne(db, { rows: listOf([cells]) });
    return (await readTogether(db, JSON.stringify(cells))) ?? [];
  };
}

/** Runs a read that refers to the cells of `asked` for each row of the list. `at` counts these rows from 1. */
function forEachRow<Row>(
  list: GivenList<Cells>,
  columns: number,
  read: RawBuilder<Row>,
): RawBuilder<Row & { at: number }> {
  const names = Array.from({ length: columns }, (_, column) => sql.ref(`c${column}`));
  // In a select of its own an array hides its length from the planner, which would otherwise prefer to plan anew for
  // each short list.
  const arrays = names.map((_, column) => sql`(select ${list.array(column)}::text[])`);
  return sql`
    select asked.at, found.*
    from unnest(${sql.join(arrays)}) with ordinality as asked(${sql.join(names)}, at)
      cross join lateral (${read}) as found`;
}
