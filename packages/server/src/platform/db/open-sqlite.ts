import { mkdirSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Driver, Kysely, SqliteIntrospector, sql } from 'kysely';
import type { StatementWatch } from '../metrics/backing-metrics.ts';
import { requireWritable } from '../writable.ts';
import { Announcements } from './announcements.ts';
import type { Database, Rules } from './database.ts';
import { Era, EraOfTransaction } from './era.ts';
import type { Flush } from './log-flush.ts';
import { DatabaseLost } from './lost-tables.ts';
import type { Db, Schema } from './schema.ts';
import { StableSqliteCompiler } from './sqlite-compiler.ts';
import {
  insideTransaction,
  SqliteDriver,
  SqliteSnapshotDriver,
  TransactionalSqliteAdapter,
} from './sqlite-driver.ts';
import { beginTx } from './tx.ts';

/** How often the file is checked for commits of other processes. */
const lookMs = 250;

/**
 * Opens the SQLite database, and makes its folder if it is missing. `told` is called after each statement; `flush` brings
 * the log to the disk.
 */
export function openSqlite(
  file: string,
  { clock, config }: Rules,
  told?: StatementWatch,
  flush?: Flush,
): Database {
  mkdirSync(dirname(file), { recursive: true });
  const driver = new SqliteDriver(file, told, flush);
  const { ino } = statSync(file);
  const db = sqliteWith(driver);
  const announcements = new Announcements();
  const era = new Era(() => driver.dataVersion());
  // The admin command works on the same file. Its commits show as a new data version.
  let seen = driver.dataVersion();
  const watch = setInterval(() => {
    const version = driver.dataVersion();
    if (version === seen) return;
    seen = version;
    announcements.deliverEverything();
  }, lookMs);
  watch.unref();
  return {
    engine: 'sqlite',
    writers: 1,
    db,
    announcements,
    era,
    transaction: async (work) => {
      // It would wait for itself forever.
      if (insideTransaction.getStore()) throw new Error('A transaction inside a transaction.');
      const own = new EraOfTransaction(era);
      try {
        const { result, topics, committed } = await insideTransaction.run(true, () =>
          db.transaction().execute(async (trx) => {
            const { tx, ...begun } = beginTx(trx, { now: clock.now(), config, era: () => own.now() });
            return { result: await work(tx), ...begun };
          }),
        );
        committed();
        announcements.deliver(topics);
        // The next transaction is written meanwhile.
        await driver.flushed();
        return result;
      } catch (error) {
        own.undone();
        throw error;
      }
    },
    patiently: (work) => work(db),
    snapshot: async (work) => {
      const frozen = sqliteWith(new SqliteSnapshotDriver(file));
      try {
        return await work(frozen);
      } finally {
        await frozen.destroy();
      }
    },
    ping: async () => {
      await sql`select 1`.execute(db);
      // On a full or read-only disk reads go on.
      await requireWritable(dirname(file));
      // What is written to a file that was deleted or replaced is gone with this process.
      const there = await stat(file).catch(() => null);
      if (there?.ino !== ino) throw new DatabaseLost(`${file} was deleted or replaced`);
    },
    close: async () => {
      clearInterval(watch);
      await db.destroy();
    },
  };
}

function sqliteWith(driver: Driver): Db {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new TransactionalSqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new StableSqliteCompiler(),
    },
  });
}
