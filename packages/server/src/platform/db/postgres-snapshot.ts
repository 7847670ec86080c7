import pg from 'pg';
import { parserFor } from './postgres-types.ts';
import { inOrderOfReference, type Row, rowsAtOnce, type Snapshot } from './snapshot-tables.ts';

/** One repeatable-read transaction, read through cursors. */
export async function withPostgresSnapshot<T>(
  url: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    types: { getTypeParser: parserFor },
  });
  // An error on an idle connection: the next statement reports it as well.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await work(snapshotOf(client));
  } finally {
    await client.end().catch(() => {});
  }
}

function snapshotOf(client: pg.Client): Snapshot {
  const pairs = async (text: string) =>
    (await client.query<{ name: string; other: string }>(text)).rows.map(
      ({ name, other }) => [name, other] as const,
    );
  return {
    async tables() {
      const tables = await pairs(
        `select relname as name, '' as other from pg_class
         where relkind = 'r' and relnamespace = current_schema()::regnamespace
         and relname not like 'kysely\\_%' and relname not like 'search\\_%' order by relname`,
      );
      const references = await pairs(
        `select source.relname as name, target.relname as other from pg_constraint
         join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
         where contype = 'f' and source.relnamespace = current_schema()::regnamespace`,
      );
      return inOrderOfReference(
        tables.map(([name]) => name),
        references,
      );
    },
    async *rows(table) {
      await client.query(`declare snapshot no scroll cursor for select * from ${pg.escapeIdentifier(table)}`);
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${rowsAtOnce} from snapshot`);
        if (rows.length > 0) yield rows;
        if (rows.length < rowsAtOnce) break;
      }
      await client.query('close snapshot');
    },
    async counters() {
      const sequences = await pairs(
        `select source.relname as name, sequence.relname as other from pg_depend
         join pg_class sequence on sequence.oid = objid and sequence.relkind = 'S'
         join pg_class source on source.oid = refobjid
         where deptype = 'a' and source.relname not like 'search\\_%' and sequence.relnamespace = current_schema()::regnamespace`,
      );
      const counters: Record<string, number> = {};
      for (const [table, sequence] of sequences) {
        const { rows } = await client.query<{ last: number }>(
          `select case when is_called then last_value else 0 end as last from ${pg.escapeIdentifier(sequence)}`,
        );
        counters[table] = rows[0]?.last ?? 0;
      }
      return counters;
    },
    async migrations() {
      return (await pairs(`select name, '' as other from kysely_migration order by name`)).map(
        ([name]) => name,
      );
    },
  };
}
