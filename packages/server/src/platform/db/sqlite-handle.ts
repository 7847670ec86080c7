import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { StatementWatch } from '../metrics/backing-metrics.ts';
import { isRowByRow } from './lists.ts';

/** A prepared statement. `columns` are the names of the columns that it returns. */
interface Kept {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

/** One open connection with its prepared statements. */
export class SqliteHandle {
  readonly #database: DatabaseSync;
  readonly #watch: StatementWatch | undefined;
  #dataVersion: StatementSync | undefined;
  #log: StatementSync | undefined;
  readonly #statements = new LRUCache<string, Kept>({ max: 500 });

  constructor(file: string, watch?: StatementWatch) {
    this.#watch = watch;
    this.#database = new DatabaseSync(file, { timeout: 5_000 });
    // synchronous=normal: commits are made durable by `LogFlush`, and acknowledged after that. The log has up to
    // 64 MB: before that, a thread copies it into the file (`Checkpoints`).
    this.#database.exec(`
      pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;
      pragma cache_size = -32768; pragma temp_store = memory; pragma journal_size_limit = 67108864;
      pragma wal_autocheckpoint = 16000;`);
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  dataVersion(): number {
    this.#dataVersion ??= this.#database.prepare('pragma data_version');
    return Number(this.#dataVersion.get()?.data_version);
  }

  /** Returns the number of pages of the write-ahead log that are not copied into the file yet. */
  loggedPages(): number {
    this.#log ??= this.#database.prepare('pragma wal_checkpoint(noop)');
    const { log, checkpointed } = this.#log.get() ?? {};
    return Number(log) - Number(checkpointed);
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    const begun = performance.now();
    let isOk = false;
    try {
      const result = this.#run<R>(query);
      isOk = true;
      return result;
    } finally {
      this.#watch?.((performance.now() - begun) / 1_000, isOk);
    }
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const kept = this.#statements.get(query.sql) ?? this.#keep(query.sql);
    if (isRowByRow(query)) {
      for (const cells of query.each) kept.statement.run(...cells);
      return { rows: [] };
    }
    const parameters = query.parameters as SQLInputValue[];
    if (kept.columns.length === 0) {
      const { changes, lastInsertRowid } = kept.statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    // setReturnArrays makes it return arrays.
    const rows = kept.statement.all(...parameters) as unknown as readonly unknown[][];
    return { rows: toObjects<R>(rows, this.#columnsOf(query.sql, kept, rows[0])) };
  }

  #keep(text: string): Kept {
    const statement = this.#database.prepare(text);
    // Node makes an array in half the time of an object with names.
    statement.setReturnArrays(true);
    const kept = { statement, columns: statement.columns().map(({ name }) => name) };
    this.#statements.set(text, kept);
    return kept;
  }

  /**
   * Returns the column names. A migration may have added columns to a `select *`, which SQLite then plans
   * anew: in that case they are read again.
   */
  #columnsOf(text: string, { columns }: Kept, row: readonly unknown[] | undefined): readonly string[] {
    return row === undefined || row.length === columns.length ? columns : this.#keep(text).columns;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

function toObjects<R>(rows: readonly (readonly unknown[])[], columns: readonly string[]): R[] {
  return rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index++) row[columns[index] ?? ''] = cells[index];
    // The row has the type that its statement declares.
    return row as R;
  });
}
