import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inOrderOfReference, type Row, rowsAtOnce, type Snapshot } from './snapshot-tables.ts';

/**
 * A read transaction on a connection of its own. In WAL mode it sees the last commit and does not block
 * writers.
 */
export async function withSqliteSnapshot<T>(
  file: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  if (!existsSync(file)) throw new Error(`There is no database at ${file}.`);
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    database.exec('pragma query_only = on; begin');
    return await work(snapshotOf(database));
  } finally {
    database.close();
  }
}

function snapshotOf(database: DatabaseSync): Snapshot {
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(row.name));
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  return {
    async tables() {
      const tables = column(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
         and name not like 'kysely\\_%' escape '\\' and name not like 'search\\_%' escape '\\' order by name`,
      );
      const references = tables.flatMap((table) =>
        column(`select "table" as name from pragma_foreign_key_list(${literal(table)})`).map(
          (to) => [table, to] as const,
        ),
      );
      return inOrderOfReference(tables, references);
    },
    async *rows(table) {
      let batch: Row[] = [];
      for (const row of database.prepare(`select * from ${quoted(table)}`).iterate()) {
        batch.push(row);
        if (batch.length < rowsAtOnce) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    async counters() {
      if (column(`select name from sqlite_master where name = 'sqlite_sequence'`).length === 0) return {};
      const rows = database
        .prepare(`select name, seq from sqlite_sequence where name not like 'search\\_%' escape '\\'`)
        .all();
      return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]));
    },
    migrations: async () => column('select name from kysely_migration order by name'),
  };
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
