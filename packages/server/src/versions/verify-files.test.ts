import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { publishFiles, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type BlobStore, StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { verifyFiles } from './mend.ts';
import { findDamage } from './scrub.ts';

describe('comparing the stored files with their hashes', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ role: 'serve' });
    await publishFiles(await service.creator(), smallGame);
  });
  after(() => service.close());

  /** Compares them through a store that gives each file in another way at its first readings. */
  async function verify(faults: number, open: (store: BlobStore, key: string) => Promise<Readable>) {
    const { platform } = service.service;
    const readings = new Map<string, number>();
    const store = new Proxy(platform.store, {
      get(whole, name) {
        if (name !== 'open') {
          const value: unknown = Reflect.get(whole, name, whole);
          return typeof value === 'function' ? value.bind(whole) : value;
        }
        return (key: string) => {
          const before = readings.get(key) ?? 0;
          readings.set(key, before + 1);
          return before < faults ? open(whole, key) : whole.open(key);
        };
      },
    });
    return verifyFiles({ ...platform, store }, { repair: false, backup: null });
  }

  it('reads a file again whose body was cut short', async () => {
    const { files, lost, unread } = await verify(1, async () => Readable.from([Buffer.from('<!doc')]));
    assert.ok(files > 0);
    assert.deepEqual([lost, unread], [[], []]);
    assert.equal((await findDamage(service.service.platform)).count, 0);
  });

  it('reads a file again at which the store broke off', async () => {
    const { lost, unread } = await verify(1, () => Promise.reject(new StoreUnavailable('broke off')));
    assert.deepEqual([lost, unread], [[], []]);
  });

  it('tells a file that cannot be read from one that is damaged', async () => {
    const isOdd = (key: string) => key.charCodeAt(0) % 2 === 1;
    const { lost, unread, files } = await verify(Number.POSITIVE_INFINITY, async (store, key) =>
      isOdd(key) ? Promise.reject(new StoreUnavailable('broke off')) : store.open(key),
    );
    assert.deepEqual(lost, []);
    assert.ok(unread.every(({ key, reason }) => isOdd(key) && reason === 'broke off'));
    assert.ok(unread.length > 0 && unread.length < files, `${unread.length} of ${files}`);
    assert.equal((await findDamage(service.service.platform)).count, 0);
    const cut = await verify(Number.POSITIVE_INFINITY, async () => Readable.from([Buffer.from('<!doc')]));
    assert.equal(cut.lost.length, cut.files);
    assert.deepEqual(cut.unread, []);
    assert.ok(cut.lost.every(({ problem }) => problem === 'damaged'));
  });

  it('misses no file that is deleted while it looks', async () => {
    const { database } = service.service.platform;
    let deleted: string | null = null;
    const { files, lost, unread } = await verify(1, async (store, key) => {
      if (deleted !== null) return store.open(key);
      deleted = key;
      await database.db.deleteFrom('blobs').where('key', '=', key).execute();
      await store.delete(key);
      return store.open(key);
    });
    assert.ok(files > 0 && deleted !== null);
    assert.deepEqual([lost, unread], [[], []]);
    assert.equal((await findDamage(service.service.platform)).count, 0);
  });
});
