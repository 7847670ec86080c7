import { type RawBuilder, sql } from 'kysely';
import type { Cells, CellType, GivenList } from './lists.ts';

/**
 * Writes `rowsOfList` for PostgreSQL: rows from an array for each column, which hides its length as in `oneOfList`. A
 * column of long texts is sent as bytes, with the place of each text.
 */
export function postgresRows(list: GivenList<Cells>, types: readonly CellType[]): RawBuilder<unknown> {
  const columns = types.map((type, column) => {
    const name = sql.ref(`c${column}`);
    if (type !== 'long text')
      return { arrays: [sql`(select ${list.array(column)}::${sql.raw(type)}[])`], names: [name], cell: name };
    const [from, bytes] = [sql.ref(`from${column}`), sql.ref(`bytes${column}`)];
    const { texts, starts, lengths } = list.bytes(column);
    return {
      arrays: [sql`(select ${starts}::int[])`, sql`(select ${lengths}::int[])`],
      names: [from, bytes],
      cell: sql`convert_from(substring(${texts}::bytea from ${from} for ${bytes}), 'UTF8') as ${name}`,
    };
  });
  const joined = (part: 'arrays' | 'names') => sql.join(columns.flatMap((column) => column[part]));
  const cells = sql.join(columns.map(({ cell }) => cell));
  return sql`(select ${cells} from unnest(${joined('arrays')}) as each_row(${joined('names')}))`;
}
