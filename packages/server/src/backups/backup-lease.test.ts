import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it, mock } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { publishLive } from '../../test/files.ts';
import { testFolder } from '../../test/prepared.ts';
import { startService, type TestService } from '../../test/service.ts';
import { databaseSettings } from '../open-platform.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { BackupBusy, LeaseLost, takeLease } from './backup-lease.ts';
import { leaseMs, readBackupState } from './backup-state.ts';
import { takeOwnBackup } from './take-own-backup.ts';

const minuteMs = 60_000;
const atOnce = 0;

/** The statement is made, and its answer never arrives. */
const losesAnswers: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async () => {
    throw new Error('read ECONNRESET');
  },
};

describe('the lease of a backup', () => {
  let service: TestService;
  let folder: string;
  /** What happens to statements of the lease. */
  let line: 'up' | 'down' | 'loses answers';
  /** How many were tried. */
  let tries: number;
  before(async () => {
    folder = await mkdtemp(join(testFolder, 'backup-lease-'));
    service = await startService({ environment: { BACKUP_TO: join(folder, 'kept') } });
    await publishLive(service, await service.creator());
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    line = 'up';
    tries = 0;
    await service.service.platform.database.db.deleteFrom('settings').where('name', '=', 'backup').execute();
  });

  /** The platform, with a database that the tests take away. */
  function platform() {
    const { platform, config } = service.service;
    const { database, clock } = platform;
    const ours = {
      ...database,
      get db() {
        tries++;
        if (line === 'down') throw new Error('connect ECONNREFUSED');
        return line === 'up' ? database.db : database.db.withPlugin(losesAnswers);
      },
    };
    return { config, clock, database: ours, store: platform.store };
  }

  const leasedUntil = async () => (await readBackupState(service.service.platform)).state.leasedUntil;

  it('stays given back when a renewal comes while it is being given back', async () => {
    const lease = await takeLease(platform(), atOnce);
    await Promise.all([lease.end({ sweptAt: 7 }), lease.renew(minuteMs)]);
    const { state } = await readBackupState(service.service.platform);
    assert.deepEqual([state.sweptAt, state.leasedUntil], [7, null]);
  });

  it('goes on while the database is away, and is renewed when it is back', async () => {
    const lease = await takeLease(platform(), atOnce);
    line = 'down';
    await lease.renew(minuteMs);
    line = 'loses answers';
    await lease.renew(2 * minuteMs);
    await lease.renew(3 * minuteMs);
    line = 'up';
    await lease.renew(4 * minuteMs);
    assert.equal(await leasedUntil(), 4 * minuteMs + leaseMs);
    await lease.end({});
    assert.equal(await leasedUntil(), null);
  });

  it('is lost once it has ended', async () => {
    const lease = await takeLease(platform(), atOnce);
    await lease.renew(minuteMs);
    line = 'down';
    await lease.renew(minuteMs + leaseMs - 1);
    await assert.rejects(lease.renew(minuteMs + leaseMs), LeaseLost);
  });

  it('is lost at once when another process has taken it', async () => {
    const lease = await takeLease(platform(), atOnce);
    const other = await takeLease(platform(), leaseMs + 1);
    await assert.rejects(lease.renew(leaseMs + 2), BackupBusy);
    await assert.rejects(lease.end({}), BackupBusy);
    await other.end({});
  });

  it('ends with its backup, also while it is being renewed', async () => {
    const lease = await takeLease(platform(), atOnce);
    await Promise.all([lease.renew(minuteMs), lease.end({ sweptAt: 7 })]);
    const { state } = await readBackupState(service.service.platform);
    assert.deepEqual([state.leasedUntil, state.sweptAt], [null, 7]);
  });

  describe('of a backup that takes long', () => {
    beforeEach((context) => {
      mock.timers.enable({ apis: ['setInterval'] });
      (context as { after(run: () => void): void }).after(() => mock.timers.reset());
    });

    /** Begins a backup, which waits in front of its first file until `goOn` is called. */
    async function begin() {
      const { store, ...others } = platform();
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const held = {
        open: async (key: string) => {
          reached.resolve();
          await gate.promise;
          return store.open(key);
        },
      } as BlobStore;
      const taken = takeOwnBackup({ ...others, store: held }, databaseSettings(others.config));
      taken.catch(reached.reject);
      await reached.promise;
      return { taken, goOn: gate.resolve };
    }

    /** Lets a minute pass. Resolves once it was tried to renew the lease. */
    async function pass() {
      const before = tries;
      service.clock.advance({ minutes: 1 });
      mock.timers.tick(minuteMs);
      while (tries === before) await new Promise(setImmediate);
    }

    it('does not end it when it cannot be renewed for a while', async () => {
      const { taken, goOn } = await begin();
      line = 'down';
      for (let minute = 0; minute < 4; minute++) await pass();
      line = 'up';
      await pass();
      goOn();
      assert.ok((await taken).manifest.blobs.count > 0);
      const { state } = await readBackupState(service.service.platform);
      assert.deepEqual([state.leasedUntil, state.last?.error], [null, null]);
    });

    it('ends it once it is lost, and says why', async () => {
      await rm(join(folder, 'kept'), { recursive: true });
      const { taken, goOn } = await begin();
      line = 'down';
      for (let minute = 0; minute < 5; minute++) await pass();
      line = 'up';
      goOn();
      await assert.rejects(taken, LeaseLost);
      const { state } = await readBackupState(service.service.platform);
      assert.match(state.last?.error ?? '', /did not answer .*: connect ECONNREFUSED/u);
    });
  });
});
