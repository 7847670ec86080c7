import assert from 'node:assert/strict';
import { cp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { startService as start } from '../src/app.ts';
import { explained } from '../src/commands/failures.ts';
import { StoreUnavailable } from '../src/platform/blobs/blob-store.ts';
import { WrongStore } from '../src/platform/blobs/claim-store.ts';
import { openBlobStore } from '../src/platform/blobs/store.ts';
import { createLog } from '../src/platform/log.ts';
import { damages } from './backup-damages.ts';
import { callAdmin, keysIn } from './backups.ts';
import { openFaultyS3 } from './faulty-s3.ts';
import { publishLive, sha256 } from './files.ts';
import { freshInstallations, type Installations } from './fresh-installations.ts';
import { startService, type TestService } from './service.ts';

type Settings = Record<string, string>;

describe('a file store', () => {
  let service: TestService;
  let installations: Installations;
  let address: string;
  before(async () => {
    service = await startService();
    installations = await freshInstallations(service.environment);
    const creator = await service.creator('hopper');
    const { space } = await publishLive(service, creator);
    address = service.service.platform.urls.live(space.slug);
  });
  after(async () => {
    await installations?.drop();
    await service?.close();
  });

  const storeOf = ({ BLOB_STORE, DATA_DIR }: Settings) =>
    openBlobStore({ url: BLOB_STORE || null, folder: join(DATA_DIR ?? '', 'blobs') });
  const isServed = async () => assert.equal((await service.get(`${address}game.js`)).status, 200);
  const run = (environment: Settings) =>
    start({ environment, role: 'work', clock: service.clock, log: createLog({ LOG_LEVEL: 'silent' }) });

  /** Returns the settings of a database that was never used, with the files of the service. */
  async function besideItsFiles(): Promise<Settings> {
    const settings = await installations.fresh();
    const { BLOB_STORE, DATA_DIR = '' } = service.environment;
    if (BLOB_STORE) return { ...settings, BLOB_STORE };
    await symlink(join(DATA_DIR, 'blobs'), join(settings.DATA_DIR ?? '', 'blobs'));
    return settings;
  }

  /** Writes a file as a service of an earlier version left it, in a store that names no owner. */
  async function writeInto(settings: Settings, text: string, key?: string): Promise<string> {
    const store = await storeOf(settings);
    try {
      const bytes = Buffer.from(text);
      return await store.write(Readable.from([bytes]), { hash: sha256(text), size: bytes.length }, key);
    } finally {
      await store.close();
    }
  }

  it('is not taken by another database, whose service would delete its files', async () => {
    const other = await besideItsFiles();
    const error: unknown = await run(other).then(
      () => assert.fail('it started'),
      (refused) => refused,
    );
    assert.ok(error instanceof WrongStore);
    assert.match(explained(error, {}) ?? '', /belongs to another database\. .*DATABASE_URL.*«owner»/u);
    // The refused start left nothing that a restore would meet.
    await rm(join(other.DATA_DIR ?? '', 'blobs'), { force: true });
    const backup = join(installations.folder, 'backup');
    assert.equal((await callAdmin(service.environment, 'backup', { to: backup })).code, 0);
    const { BLOB_STORE = '' } = await installations.fresh();
    const restored = await callAdmin({ ...other, BLOB_STORE }, 'restore', { from: backup });
    assert.equal(restored.code, 0, restored.errors);
    await isServed();
  });

  it('keeps files that no row names once it belongs to another database', async () => {
    const settings = await installations.fresh();
    const running = await run(settings);
    try {
      await writeInto(settings, 'of the other database');
      const store = await storeOf(settings);
      await store.claim('the other database');
      await store.close();
      service.clock.advance({ days: 2 });
      await assert.rejects(running.sweep(), ({ errors }: AggregateError) => errors[0] instanceof WrongStore);
      assert.equal((await keysIn(settings)).length, 1);
    } finally {
      await running.close();
    }
  });

  it('that was away at the start is not used before it has said whose it is', async (context) => {
    const { BLOB_STORE } = service.environment;
    if (!BLOB_STORE) return context.skip('a folder is never away');
    const address = new URL(BLOB_STORE);
    const faulty = await openFaultyS3(address.searchParams.get('endpoint') ?? '');
    address.searchParams.set('endpoint', faulty.endpoint);
    const own = await installations.fresh();
    const ownAddress = new URL(own.BLOB_STORE ?? '');
    ownAddress.searchParams.set('endpoint', faulty.endpoint);
    try {
      for (const { href, isOwn } of [
        { href: address.href, isOwn: false },
        { href: ownAddress.href, isOwn: true },
      ]) {
        faulty.spoil({ is: 'refused', status: 503 }, () => true, Number.POSITIVE_INFINITY);
        const running = await run({ ...own, BLOB_STORE: href });
        const { store } = running.platform;
        const bytes = Buffer.from('of the late database');
        const write = () => store.write(Readable.from([bytes]), { hash: sha256(bytes), size: bytes.length });
        try {
          await assert.rejects(store.ping(), StoreUnavailable);
          faulty.mend();
          if (isOwn) {
            await store.ping();
            assert.deepEqual(await store.read(await write()), bytes);
          } else {
            const before = await keysIn(service.environment);
            for (const use of [() => store.ping(), write, () => store.read(before[0] ?? '')])
              await assert.rejects(use, /belongs to another database/u);
            assert.deepEqual(await keysIn(service.environment), before);
          }
        } finally {
          await running.close();
        }
      }
    } finally {
      await faulty.close();
    }
  });

  it('with files of an earlier version is not taken by a new database, and is by one in use', async () => {
    const settings = await installations.fresh();
    const first = await run(settings);
    await first.close();
    const old = await installations.fresh();
    await writeInto(old, 'of an earlier version');
    await assert.rejects(run(old), /The database is new/u);
    assert.equal((await keysIn(old)).length, 1);
    // The database in use comes to this store.
    const moved = { ...settings, BLOB_STORE: old.BLOB_STORE ?? '' };
    if (!old.BLOB_STORE) {
      await rm(join(settings.DATA_DIR ?? '', 'blobs'), { recursive: true });
      await symlink(join(old.DATA_DIR ?? '', 'blobs'), join(settings.DATA_DIR ?? '', 'blobs'));
    }
    for (const _ of [1, 2]) await (await run(moved)).close();
    await assert.rejects(run(old), /belongs to another database/u);
  });

  it('that is empty is not taken by a database with files, such as a disk that is not mounted', async () => {
    const settings = await installations.fresh();
    const backup = join(installations.folder, 'mounted');
    assert.equal((await callAdmin(service.environment, 'backup', { to: backup })).code, 0);
    assert.equal((await callAdmin(settings, 'restore', { from: backup })).code, 0);
    await (await run(settings)).close();
    const { BLOB_STORE = '', DATA_DIR = '' } = await installations.fresh();
    const elsewhere = { ...settings, BLOB_STORE };
    if (!BLOB_STORE) await rename(join(settings.DATA_DIR ?? '', 'blobs'), join(DATA_DIR, 'mounted'));
    await assert.rejects(run(elsewhere), /names files, and the file store is empty/u);
    await assert.rejects(run(elsewhere), WrongStore);
    // The operator knows that the files are lost.
    const store = await storeOf(elsewhere);
    await store.claim('\n');
    await store.close();
    for (const _ of [1, 2]) await (await run(elsewhere)).close();
  });

  it('that belongs to a database takes no restored backup', async () => {
    const backup = join(installations.folder, 'taken');
    assert.equal((await callAdmin(service.environment, 'backup', { to: backup })).code, 0);
    const { code, errors } = await callAdmin(await besideItsFiles(), 'restore', { from: backup });
    assert.equal(code, 1);
    assert.match(errors, /belongs to an installation already.*«owner»/u);
    await isServed();
  });

  it('of a lost database keeps its files when a restore fails, and belongs to the restored one', async () => {
    const backup = join(installations.folder, 'lost');
    assert.equal((await callAdmin(service.environment, 'backup', { to: backup })).code, 0);
    const target = await installations.fresh();
    const script = 'document.title += "!";';
    const key = (await keysIn(service.environment)).find((name) => name.startsWith(sha256(script)));
    assert.equal(await writeInto(target, script, key), key);
    const [damage] = damages['a file with other bytes'] ?? assert.fail('no such damage');
    const damaged = join(installations.folder, 'lost-and-damaged');
    await cp(backup, damaged, { recursive: true });
    await damage(damaged);
    assert.equal((await callAdmin(target, 'restore', { from: damaged })).code, 1);
    assert.deepEqual(await keysIn(target), [key]);
    assert.equal((await callAdmin(target, 'restore', { from: backup })).code, 0);
    await (await run(target)).close();
    // The service that the backup is of has another name, and keeps its own store.
    await service.service.sweep();
    await isServed();
    const other = { ...target, DATABASE_URL: service.environment.DATABASE_URL ?? '' };
    if (other.DATABASE_URL) await assert.rejects(run(other), /belongs to another database/u);
  });
});
