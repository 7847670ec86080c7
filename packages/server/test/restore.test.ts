import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../src/config.ts';
import { databaseSettings } from '../src/open-platform.ts';
import { withBackupPlace } from '../src/platform/backup/open-place.ts';
import { restoreBackup } from '../src/platform/backup/restore.ts';
import { openBlobStore } from '../src/platform/blobs/store.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { damages } from './backup-damages.ts';
import { callAdmin, keysIn, rowsOf } from './backups.ts';
import { testRules } from './database.ts';
import { publishLive } from './files.ts';
import { freshInstallations, type Installations } from './fresh-installations.ts';
import { startService, type TestService } from './service.ts';

const game = {
  'index.html': '<!doctype html><title>Moon Hopper</title><h1>Hop</h1>',
  'art/moon.bin': randomBytes(300_000),
};

describe('a restore that fails', () => {
  let service: TestService;
  let installations: Installations;
  let sound: string;
  before(async () => {
    service = await startService();
    installations = await freshInstallations(service.environment);
    sound = join(installations.folder, 'sound');
    await publishLive(service, await service.creator('hopper'), game);
    const { code, errors } = await callAdmin(service.environment, 'backup', { to: sound });
    assert.equal(code, 0, errors);
  });
  after(async () => {
    await installations?.drop();
    await service?.close();
  });

  const restore = (from: string, to: Record<string, string>) => callAdmin(to, 'restore', { from });

  it('leaves nothing of a damaged backup', async () => {
    const target = await installations.fresh();
    for (const [name, [damage, text]] of Object.entries(damages)) {
      const path = join(installations.folder, 'damaged');
      await rm(path, { recursive: true, force: true });
      await cp(sound, path, { recursive: true });
      await damage(path);
      const answer = await restore(path, target);
      assert.equal(answer.code, 1, name);
      assert.match(answer.errors, text, name);
      assert.deepEqual(await keysIn(target), [], name);
    }
    const rows = await rowsOf(target);
    assert.deepEqual(Object.values(rows).flat(), []);
    // The refused restores left nothing that blocks a restore of a sound backup, and neither does a verify.
    assert.match((await callAdmin(target, 'verify', {})).errors, /Nothing was ever started/u);
    const answer = await restore(sound, target);
    assert.equal(answer.code, 0, answer.errors);
  });

  it('keeps the files when the commit of their rows was made and its result was lost', async (t) => {
    const target = await installations.fresh();
    const config = readConfig(target);
    const database = await openDatabase(databaseSettings(config), testRules);
    const store = await openBlobStore({
      url: config.BLOB_STORE,
      folder: join(config.DATA_DIR, 'blobs'),
    });
    const commit = database.transaction.bind(database);
    const losing: typeof database.transaction = async (work) => {
      await commit(work);
      throw new Error('the connection was lost');
    };
    t.mock.method(database, 'transaction', losing);
    try {
      const restoring = withBackupPlace(sound, config.DATA_DIR, (place) =>
        restoreBackup({ database, store }, place),
      );
      await assert.rejects(restoring, /the connection was lost/u);
      const named = await database.db.selectFrom('blobs').select('key').execute();
      assert.ok(named.length > 0);
      const there = new Set(await keysIn(target));
      assert.deepEqual(
        named.filter(({ key }) => !there.has(key)),
        [],
      );
    } finally {
      await store.close();
      await database.close();
    }
  });
});
