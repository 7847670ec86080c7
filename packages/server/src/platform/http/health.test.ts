import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import dns from 'node:dns';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { withoutPostgres } from '../../../test/database.ts';
import { testPostgres } from '../../../test/postgres.ts';
import { testFolder } from '../../../test/prepared.ts';
import { rawRequest } from '../../../test/raw-http.ts';
import { openRelay } from '../../../test/relay.ts';
import { startService } from '../../../test/service.ts';
import { startService as start } from '../../app.ts';
import { lookAtDatabase, lookAtSearch } from '../../doctor/look-at-backing.ts';
import { createLog, logInto } from '../log.ts';
import { openListener } from './listener.ts';

const run = promisify(execFile);

/**
 * Mounts a disk of 16 KiB or a read-only one over a folder. Returns false if this machine does not allow it.
 */
async function mountOver(context: TestContext, folder: string, options: string): Promise<boolean> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    return true;
  } catch {
    context.skip('only root may mount a disk');
    return false;
  }
}

describe('/readyz while only the store is away', () => {
  for (const [what, options] of [
    ['full', 'size=16k'],
    ['read-only', 'ro'],
  ] as const) {
    it(`goes on, and reports a ${what} disk, and when there is room again`, async (context) => {
      const service = await startService({ role: 'serve', environment: { BLOB_STORE: '' } });
      context.after(() => service.close());
      const readyz = async () => {
        const { status, json } = await service.get(`${service.baseUrl}/readyz`);
        return [status, json().status, json().store];
      };
      assert.deepEqual(await readyz(), [200, 'ok', 'ok']);
      const folder = join(service.environment.DATA_DIR ?? '', 'blobs', 'tmp');
      if (!(await mountOver(context, folder, options))) return;
      try {
        assert.deepEqual(await readyz(), [200, 'degraded', 'unavailable']);
      } finally {
        await run('umount', [folder]);
      }
      assert.deepEqual(await readyz(), [200, 'ok', 'ok']);
    });
  }

  it('is not ready before the store has answered once: its address may be wrong', async (context) => {
    const port = await freePort();
    const service = await startService({
      role: 'serve',
      environment: { BLOB_STORE: `s3://key:secret@bucket?endpoint=http://127.0.0.1:${port}` },
    });
    context.after(() => service.close());
    const { status, json } = await service.get(`${service.baseUrl}/readyz`);
    assert.deepEqual([status, json().status, json().store], [503, 'unavailable', 'unavailable']);
  });
});

describe('/readyz on SQLite', () => {
  it('reports a database whose disk takes no writes, and when it does again', async (context) => {
    const service = await startService({ role: 'serve' });
    context.after(() => service.close());
    if (service.service.platform.database.engine !== 'sqlite') return context.skip('PostgreSQL has its own');
    const readyz = async () => {
      const { status, json } = await service.get(`${service.baseUrl}/readyz`);
      return [status, json().database];
    };
    assert.deepEqual(await readyz(), [200, 'ok']);
    const folder = service.environment.DATA_DIR ?? '';
    if (!(await mountOver(context, folder, 'ro'))) return;
    try {
      assert.deepEqual(await readyz(), [503, 'unavailable']);
    } finally {
      await run('umount', [folder]);
    }
    assert.deepEqual(await readyz(), [200, 'ok']);
  });
});

describe('/readyz on SQLite whose file is not the one that was opened', () => {
  it('says that the database is lost, until the file is back', async (context) => {
    const service = await startService({ role: 'serve' });
    context.after(() => service.close());
    if (service.service.platform.database.engine !== 'sqlite')
      return context.skip('PostgreSQL has no such file');
    const readyz = async () => {
      const { status, json } = await service.get(`${service.baseUrl}/readyz`);
      return [status, json().database];
    };
    const file = join(service.environment.DATA_DIR ?? '', 'spaceport.db');
    await rename(file, `${file}.kept`);
    assert.deepEqual(await readyz(), [503, 'lost']);
    await copyFile(`${file}.kept`, file);
    assert.deepEqual(await readyz(), [503, 'lost']);
    const { said, advice } = await lookAtDatabase(service.service.platform.database);
    assert.match(said, /^SQLite answers, but .*spaceport\.db was deleted or replaced\.$/u);
    assert.match(advice ?? '', /restore a backup/u);
    await rename(`${file}.kept`, file);
    assert.deepEqual(await readyz(), [200, 'ok']);
  });
});

describe('/readyz while the search index is being filled', () => {
  it('says so, and takes requests', async (context) => {
    const service = await startService();
    context.after(() => service.close());
    const { database } = service.service.platform;
    const readyz = async () => {
      const { status, json } = await service.get(`${service.baseUrl}/readyz`);
      return [status, json()];
    };
    const ready = { status: 'ok', database: 'ok', store: 'ok' };
    assert.deepEqual(await readyz(), [200, ready]);
    assert.equal((await lookAtSearch(database)).state, 'ok');
    await database.db.deleteFrom('search_state').execute();
    assert.deepEqual(await readyz(), [200, { ...ready, search: 'filling' }]);
    const { state, said, advice } = await lookAtSearch(database);
    assert.equal(state, 'warning');
    assert.match(said, /is being filled: searches find 0 of 0 spaces/u);
    assert.match(advice ?? '', /^Wait/u);
    await database.transaction((tx) => tx.enqueue('fill-search', 'all'));
    await service.settle();
    assert.deepEqual(await readyz(), [200, ready]);
  });
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const listener = await openListener('127.0.0.1', 0);
  await listener.drain(0);
  return listener.port;
}

/** Lets the name `db.example` have no address for now. Returns what gives it one. */
function hideName({ mock }: TestContext): () => void {
  let isHidden = true;
  const lookup = dns.lookup as (...words: unknown[]) => void;
  mock.method(dns, 'lookup', (name: string, options: unknown, done: (error: Error) => void) => {
    if (name !== 'db.example') return lookup(name, options, done);
    if (!isHidden) return lookup('127.0.0.1', options, done);
    return done(Object.assign(new Error('getaddrinfo EAI_AGAIN db.example'), { code: 'EAI_AGAIN' }));
  });
  return () => {
    isHidden = false;
  };
}

describe('a node that starts while PostgreSQL is away', { skip: withoutPostgres }, () => {
  it('reports that, is alive and not ready, and begins once PostgreSQL is there', async (context) => {
    await begins(context, async (url) => {
      const relay = await openRelay(url);
      await relay.breakOff();
      return { url: relay.url, appear: relay.resume, close: relay.close };
    });
  });

  it('does the same while the name of its host is not found', async (context) => {
    await begins(context, async (url) => {
      const named = new URL(url);
      named.hostname = 'db.example';
      return { url: named.href, appear: hideName(context), close: () => {} };
    });
  });

  it('answers that it is alive and not ready while another node migrates', async (context) => {
    const postgres = await testPostgres();
    const url = await postgres.createDatabase();
    const other = new pg.Client(url);
    await other.connect();
    // The lock of migrations.
    await other.query('select pg_advisory_lock(3853314791062309107)');
    const port = await freePort();
    const DATA_DIR = await mkdtemp(join(testFolder, 'spaceport-migrating-'));
    const environment = { PORT: String(port), DATA_DIR, DATABASE_URL: url, BROWSER: 'none' };
    const starting = start({ environment, role: 'serve', log: createLog({ LOG_LEVEL: 'silent' }) });
    context.after(async () => {
      await other.end();
      await (await starting).close();
      await postgres.dropDatabase(url);
      await postgres.stop();
      await rm(DATA_DIR, { recursive: true });
    });
    const ask = (path: string) => rawRequest(port, `http://localhost:${port}${path}`);
    assert.equal((await ask('/healthz')).status, 200);
    assert.equal((await ask('/readyz')).status, 503);
    await other.query('select pg_advisory_unlock(3853314791062309107)');
    await starting;
    assert.equal((await ask('/readyz')).status, 200);
  });

  /** `hide` takes an address of PostgreSQL out of reach. Returns the address to use, and what brings it back. */
  async function begins(
    context: TestContext,
    hide: (url: string) => Promise<{ url: string; appear: () => unknown; close: () => unknown }>,
  ): Promise<void> {
    const postgres = await testPostgres();
    const database = await postgres.createDatabase();
    const { url, appear, close } = await hide(database);
    const port = await freePort();
    const output = new PassThrough();
    const log = logInto(() => output, 'info');
    const waits = new Promise<string>((resolve) => {
      output.on('data', (lines) => String(lines).includes('waiting for it') && resolve(String(lines)));
    });
    const DATA_DIR = await mkdtemp(join(testFolder, 'spaceport-away-'));
    const environment = { PORT: String(port), DATA_DIR, DATABASE_URL: url, BROWSER: 'none' };
    const starting = start({ environment, role: 'serve', log });
    context.after(async () => {
      await (await starting).close();
      await close();
      await postgres.dropDatabase(database);
      await postgres.stop();
      await rm(DATA_DIR, { recursive: true });
    });
    const said = await waits;
    assert.match(said, /"reason":"[^"]+","attempt":1,"msg":"the database is away/u);
    assert.doesNotMatch(said, /stack/u);
    const ask = (path: string) => rawRequest(port, `http://localhost:${port}${path}`);
    assert.equal((await ask('/healthz')).status, 200);
    assert.deepEqual([(await ask('/readyz')).status, (await ask('/api/gallery')).status], [503, 503]);
    await appear();
    await starting;
    assert.deepEqual([(await ask('/readyz')).status, (await ask('/api/gallery')).status], [200, 200]);
  }
});
