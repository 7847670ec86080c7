import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
} from 'kysely';
import type { StatementWatch } from '../metrics/backing-metrics.ts';
import { Checkpoints } from './checkpoints.ts';
import { TransactionEnded } from './failures.ts';
import { type Flush, LogFlush } from './log-flush.ts';
import { LoopShare } from './loop-share.ts';
import { SqliteHandle } from './sqlite-handle.ts';

/**
 * After how long a write that finds another process writing fails as unavailable. The wait for the other writes
 * of this process counts, but does not fail by itself.
 */
const maxWaitMs = 1_500;

/**
 * Set while the function of a transaction runs, so that a statement that would wait for its own transaction
 * fails instead.
 */
export const insideTransaction = new AsyncLocalStorage<true>();

/**
 * SQLite has one writer. Transactions and writing statements take turns on the one writing connection. Reads
 * outside a transaction run at once on a second connection, which in WAL mode sees the last commit.
 */
export class SqliteDriver implements Driver {
  readonly #shared: Shared;

  /** `watch` is called after each statement, with a time that does not include the wait for its turn. */
  constructor(file: string, watch?: StatementWatch, flush?: Flush) {
    const writer = new SqliteHandle(file, watch);
    writer.exec('pragma busy_timeout = 0');
    const turn = new Turn();
    this.#shared = {
      writer,
      reader: new SqliteHandle(file, watch),
      turn,
      share: new LoopShare(),
      checkpoints: new Checkpoints(file, writer, (write) => turn.run(write)),
      log: new LogFlush(`${file}-wal`, flush),
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#shared);
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  /** After it, reads see what was written. It is durable after `flushed`. */
  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.end('commit');
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  /** Resolves when everything that is committed by now survives a power cut. */
  flushed(): Promise<void> {
    return this.#shared.log.flushed();
  }

  /**
   * Returns a number that changes when another process has committed: for watching one file from several
   * processes.
   */
  dataVersion(): number {
    return this.#shared.writer.dataVersion();
  }

  async destroy(): Promise<void> {
    const { writer, reader, checkpoints, log } = this.#shared;
    await checkpoints.close();
    await log.close();
    reader.close();
    writer.close();
  }
}

/**
 * One read transaction on a connection of its own. In WAL mode it sees the last commit, and does not block
 * writers.
 */
export class SqliteSnapshotDriver implements Driver {
  readonly #handle: SqliteHandle;
  readonly #share = new LoopShare();

  constructor(file: string) {
    this.#handle = new SqliteHandle(file);
    this.#handle.exec('pragma query_only = on');
    this.#handle.exec('begin');
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <R>(query: CompiledQuery) => {
        const later = this.#share.wait('alone');
        if (later !== null) await later;
        return this.#handle.run<R>(query);
      },
      streamQuery: noStream,
    };
  }

  async beginTransaction(): Promise<void> {
    throw new Error('A transaction inside a snapshot.');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#handle.close();
  }
}

/**
 * Makes migrations run in one transaction, so that a crash leaves nothing half done, and two processes take
 * turns. Kysely does neither on SQLite by default, although SQLite's DDL is transactional.
 */
export class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** What the connections of a driver share. */
interface Shared {
  readonly writer: SqliteHandle;
  readonly reader: SqliteHandle;
  readonly turn: Turn;
  readonly share: LoopShare;
  readonly checkpoints: Checkpoints;
  readonly log: LogFlush;
}

class SqliteConnection implements DatabaseConnection {
  readonly #shared: Shared;
  readonly #writer: SqliteHandle;
  #endTurn: (() => void) | null = null;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#writer = shared.writer;
  }

  async begin(): Promise<void> {
    const { endTurn } = await this.#whenFree(() => this.#writer.exec('begin immediate'));
    this.#endTurn = endTurn;
  }

  end(how: 'commit' | 'rollback'): void {
    const endTurn = this.#endTurn;
    // A failed commit has ended the transaction and given the turn back. Kysely rolls back after it, when the open
    // transaction may be that of the next caller.
    if (endTurn === null) return;
    try {
      if (how === 'commit') this.#requireTransaction();
      // A failed statement (a full disk) may have ended the transaction already.
      if (how === 'commit' || this.#writer.isInTransaction()) this.#writer.exec(how);
    } catch (error) {
      if (this.#writer.isInTransaction()) this.#writer.exec('rollback');
      throw error;
    } finally {
      this.#endTurn = null;
      endTurn();
    }
    if (how === 'commit') this.#shared.checkpoints.committed();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const later = this.#shared.share.wait(this.#endTurn ? 'in a transaction' : 'alone');
    if (later !== null) await later;
    if (this.#endTurn) {
      this.#requireTransaction();
      return this.#writer.run<R>(query);
    }
    if (SelectQueryNode.is(query.query)) return this.#shared.reader.run<R>(query);
    if (insideTransaction.getStore()) {
      throw new Error(`A statement outside the transaction, inside one: ${query.sql.slice(0, 80)}`);
    }
    const { result, endTurn } = await this.#whenFree(() => this.#writer.run<R>(query));
    endTurn();
    this.#shared.checkpoints.committed();
    await this.#shared.log.flushed();
    return result;
  }

  /**
   * Takes the turn and writes. While another process writes, it tries again without blocking this process's
   * reads, as SQLite's own busy timeout would, and fails as locked after `maxWaitMs`.
   */
  async #whenFree<T>(write: () => T): Promise<{ result: T; endTurn: () => void }> {
    this.#shared.log.requireSound();
    const deadline = performance.now() + maxWaitMs;
    const endTurn = await this.#shared.turn.take();
    for (;;) {
      try {
        return { result: write(), endTurn };
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) {
          endTurn();
          throw error;
        }
      }
      await pause(Math.random() * 10);
    }
  }

  streamQuery = noStream;

  /** What follows, as of statements side by side, would each be written by itself. */
  #requireTransaction(): void {
    if (!this.#writer.isInTransaction()) throw new TransactionEnded();
  }
}

// biome-ignore lint/correctness/useYield: node:sqlite has no cursor that could outlive the turn.
async function* noStream<R>(): AsyncIterableIterator<QueryResult<R>> {
  throw new Error('Read in pages instead of streaming.');
}

/**
 * Returns whether the error is SQLITE_BUSY, with or without details in the upper bits: another process holds
 * the write lock.
 */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === 5
  );
}

/** A mutex: `take` resolves with the function that gives the turn back. */
class Turn {
  #last: Promise<void> = Promise.resolve();

  async take(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }

  /** Runs the function when its turn has come. */
  async run(work: () => void): Promise<void> {
    const endTurn = await this.take();
    try {
      work();
    } finally {
      endTurn();
    }
  }
}
