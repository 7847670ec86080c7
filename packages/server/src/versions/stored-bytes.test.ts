import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { emptyDatabase, engines } from '../../test/database.ts';
import { fileEntries, listing, putFile, sha256 } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId, type Principal } from '../platform/db/ids.ts';
import { migrate } from '../platform/db/migrate.ts';
import type { Db } from '../platform/db/schema.ts';
import { countStoredBytes, readStoredBytes } from './stored-bytes.queries.ts';

const versions = '/api/v1/hosting/versions';

describe('the sum of what a principal has stored', () => {
  let service: TestService;
  let creator: Persona;
  let db: Db;
  before(async () => {
    service = await startService({ role: 'serve', environment: { ACCOUNT_MAX_BYTES: '4k' } });
    creator = await service.creator();
    db = service.service.platform.database.db;
  });
  after(() => service.close());

  /** Creates a version and uploads its files. @returns the answer of the create */
  async function upload(by: Pick<Persona, 'call'>, files: Record<string, string>, more: object = {}) {
    const created = await by.call('POST', versions, { fields: listing, files: fileEntries(files), ...more });
    assert.equal(created.status, 201, created.text());
    for (const { sha256: hash, url } of created.json().uploads) {
      const content = Object.values(files).find((one) => sha256(one) === hash) ?? '';
      for (const _twice of [1, 2]) assert.equal((await putFile(service, url, content)).status, 200);
    }
    return created.json();
  }

  /** Returns the sums by principal, each compared with its files. */
  async function sums(): Promise<Map<Principal, number>> {
    const rows = await db.selectFrom('blob_uploads').select('principal').distinct().execute();
    const found = new Map<Principal, number>();
    for (const { principal } of rows) {
      found.set(principal, await readStoredBytes(db, principal));
      assert.equal(found.get(principal), await countStoredBytes(db, principal), principal);
    }
    const kept = await db.selectFrom('stored_bytes').select('principal').where('bytes', '>', 0).execute();
    assert.equal(kept.length, found.size, 'nobody else has a sum');
    return found;
  }
  const sortedSums = async () => [...(await sums()).values()].sort((one, other) => one - other);

  it('counts each file once, follows a claim to its account, and shrinks with deleted files', async () => {
    await upload(creator, { 'index.html': 'a'.repeat(100), 'again.txt': 'a'.repeat(100), 'b.txt': 'bb' });
    assert.deepEqual(await sortedSums(), [102]);
    const { claimToken } = await upload(service.anonymous, {
      'index.html': 'a'.repeat(100),
      'c.txt': 'c'.repeat(7),
    });
    assert.deepEqual(await sortedSums(), [102, 107]);
    await upload(creator, { 'index.html': 'd'.repeat(1_000) }, { claim: claimToken, fields: undefined });
    assert.deepEqual(await sortedSums(), [1_109], 'what both had counts once');
    // Nothing was finished: the versions go a day after their links, and their files a day later.
    for (const hours of [27, 25]) {
      service.clock.advance({ hours });
      await service.service.sweep();
    }
    assert.deepEqual(await sortedSums(), []);
  });

  it('refuses nobody by itself: the files are counted first', async () => {
    await upload(creator, { 'index.html': 'e'.repeat(3_000) });
    const create = (bytes: number) =>
      creator.call('POST', versions, {
        fields: listing,
        files: fileEntries({ 'index.html': 'f'.repeat(bytes) }),
      });
    await db.updateTable('stored_bytes').set({ bytes: 1_000_000 }).execute();
    assert.equal((await create(1_000)).status, 201);
    const refused = await create(2_000);
    assert.deepEqual([refused.status, refused.json().usedBytes], [413, 3_000]);
  });
});

for (const engine of engines)
  it(`is filled with what was uploaded before it was kept, on ${engine}`, async () => {
    const test = await emptyDatabase(engine);
    try {
      const { db } = await test.open();
      await migrate(db, '0044-domains');
      const [one, other] = [givenId('usr', 'usr_1'), givenId('usr', 'usr_2')];
      for (const [hash, size] of [
        ['aa', 100],
        ['bb', 2 ** 40],
      ] as const) {
        const key = `${hash}-1`;
        const row = { hash, key, size, public: 0, shared_memory: 0, packed: 0, created_at: 1 } as const;
        await db
          .insertInto('blobs')
          .values({ ...row, marked_at: null })
          .execute();
        await db.insertInto('blob_uploads').values({ principal: one, hash }).execute();
      }
      await db.insertInto('blob_uploads').values({ principal: other, hash: 'aa' }).execute();
      await migrate(db);
      assert.equal(await readStoredBytes(db, one), 100 + 2 ** 40);
      assert.equal(await readStoredBytes(db, other), 100);
    } finally {
      await test.close();
    }
  });
