import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { emptyDatabase } from './database.ts';
import { openRelay } from './relay.ts';
import { startService, type TestService, type TestServiceOptions } from './service.ts';

/**
 * A service whose database can fail: PostgreSQL's connections break, SQLite's file is locked by another
 * writer.
 */
export interface Outage {
  readonly service: TestService;
  begin(): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
  /** Whether reads go on: a locked SQLite file can still be read. */
  readonly readsGoOn: boolean;
}

type Options = Pick<TestServiceOptions, 'environment' | 'log'>;

async function onPostgres({ environment, ...options }: Options): Promise<Outage> {
  const database = await emptyDatabase('postgres');
  const relay = await openRelay(database.settings.url ?? '');
  const service = await startService({
    ...options,
    environment: { ...environment, DATABASE_URL: relay.url },
  });
  return {
    service,
    begin: async () => {
      await relay.breakOff();
    },
    end: async () => {
      await relay.resume();
    },
    async close() {
      await service.close();
      await relay.close();
      await database.close();
    },
    readsGoOn: false,
  };
}

async function onSqlite(options: Options): Promise<Outage> {
  // Without background jobs, because they write too.
  const service = await startService({ ...options, role: 'serve' });
  const other = new DatabaseSync(join(service.environment.DATA_DIR ?? '', 'spaceport.db'));
  return {
    service,
    begin: async () => other.exec('begin immediate'),
    end: async () => other.exec('rollback'),
    async close() {
      other.close();
      await service.close();
    },
    readsGoOn: true,
  };
}

/** Starts a service on the engine in TEST_ENGINE. */
export async function startWithOutage(options: Options = {}): Promise<Outage> {
  return process.env.TEST_ENGINE === 'postgres' ? onPostgres(options) : onSqlite(options);
}
