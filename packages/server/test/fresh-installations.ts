import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { testPostgres } from './postgres.ts';
import { testFolder } from './prepared.ts';

/** Installations that were never started, in a folder of a test. */
export interface Installations {
  readonly folder: string;
  /** Returns the settings of another one, on this run's engine or on the embedded one. */
  fresh(options?: { embedded?: boolean }): Promise<Record<string, string>>;
  drop(): Promise<void>;
}

/** Makes installations whose files are where those of the service with this environment are. */
export async function freshInstallations({ BLOB_STORE }: Record<string, string>): Promise<Installations> {
  const folder = await mkdtemp(join(testFolder, 'spaceport-backup-'));
  const databases: (() => Promise<void>)[] = [];
  return {
    folder,
    async fresh({ embedded = false } = {}) {
      const settings: Record<string, string> = {
        PORT: '0',
        DATA_DIR: await mkdtemp(join(folder, 'data-')),
        BROWSER: 'none',
        DATABASE_URL: '',
        BLOB_STORE: '',
      };
      if (embedded || process.env.TEST_ENGINE !== 'postgres') return settings;
      const postgres = await testPostgres();
      const url = await postgres.createDatabase();
      databases.push(async () => {
        await postgres.dropDatabase(url);
        await postgres.stop();
      });
      if (BLOB_STORE) {
        const address = new URL(BLOB_STORE);
        address.pathname = `/${randomBytes(6).toString('hex')}`;
        settings.BLOB_STORE = address.href;
      }
      return { ...settings, DATABASE_URL: url };
    },
    async drop() {
      for (const drop of databases) await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
