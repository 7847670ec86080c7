import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { emptyDatabase, engines } from '../../test/database.ts';
import { fileEntries, listing, putFile, sha256 } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId, type Principal } from '../platform/db/ids.ts';
import { migrate } from '../platform/db/migrate.ts';
import type { Db } from '../platform/db/schema.ts';
import { countStoredBytes, readStoredBytes } from './stored-bytes.queries.ts';
import { OverQuota, storeBlobs } from './uploads.queries.ts';

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

  it('is never more than the account may keep, however many versions are created first', async () => {
    const full = await service.creator();
    const create = async (files: Record<string, string>) => {
      const created = await full.call('POST', versions, { fields: listing, files: fileEntries(files) });
      assert.equal(created.status, 201, created.text());
      return created.json();
    };
    const contents = Array.from({ length: 9 }, (_, at) => `${at}`.repeat(1_000));
    const [one, two, three] = [contents.slice(0, 3), contents.slice(3, 6), contents.slice(6)].map((texts) =>
      Object.fromEntries(texts.map((text, at) => [at === 0 ? 'index.html' : `${at}.txt`, text])),
    ) as [Record<string, string>, Record<string, string>, Record<string, string>];
    const made = [await create(one), await create(two), await create(three)];
    const links = made.flatMap(({ uploads }) => uploads as { sha256: string; url: string }[]);
    const put = ({ sha256: hash, url }: { sha256: string; url: string }) =>
      putFile(service, url, contents.find((content) => sha256(content) === hash) ?? '');
    const answers = await Promise.all(links.map(put));
    const kept = links.filter((_, at) => answers[at]?.status === 200);
    assert.equal(kept.length, 4, 'four files of 1,000 bytes fit in 4k');
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 413, answer.text());
      const { code, usedBytes, newBytes, spaces, next } = answer.json();
      assert.deepEqual([code, usedBytes, newBytes, spaces.length], ['too_large', 4_000, 1_000, 3]);
      assert.match(next, /^Delete versions/u);
    }
    assert.ok((await sortedSums()).includes(4_000));
    const stored = await Array.fromAsync(service.service.platform.store.list());
    const named = await db.selectFrom('blobs').select('key').execute();
    assert.deepEqual(
      stored.map(({ key }) => key).sort(),
      named.map(({ key }) => key).sort(),
      'nothing of the refused files is left in the store',
    );

    // What is there may be sent and published again.
    for (const link of kept) assert.equal((await put(link)).status, 200);
    const all = Object.fromEntries(
      kept.map(({ sha256: hash }, at) => [
        at === 0 ? 'index.html' : `${at}.txt`,
        contents.find((content) => sha256(content) === hash) ?? '',
      ]),
    );
    assert.deepEqual((await create({ ...all, 'empty.txt': '' })).uploads.length, 1);
  });

  it('is kept within the limit by several nodes that store files at the same moment', async () => {
    const full = await service.creator();
    const { version } = await upload(full, { 'index.html': 'i'.repeat(96) });
    const { transaction } = service.service.platform.database;
    const stored = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => {
        const hash = sha256(`node ${at}`);
        const file = { hash, size: 1_000, key: `${hash}-1`, sharedMemory: false, versionId: version.id };
        return transaction((tx) => storeBlobs(tx, [{ ...file, now: tx.now }], () => {}));
      }),
    );
    assert.equal(stored.filter(({ status }) => status === 'fulfilled').length, 4);
    for (const one of stored) if (one.status === 'rejected') assert.ok(one.reason instanceof OverQuota);
    await sums();
  });

  it('keeps a page without an account from an account that has no room for it', async () => {
    const full = await service.creator();
    const files = (text: string) => ({ 'index.html': text.repeat(1_500), 'more.txt': text.repeat(1_501) });
    await upload(full, files('g'));
    const { claimToken } = await upload(service.anonymous, files('h'));
    const claim = (by: Persona) =>
      by.call('POST', versions, { files: fileEntries(files('h')), claim: claimToken });
    const refused = await claim(full);
    assert.equal(refused.status, 413, refused.text());
    const { code, usedBytes, newBytes } = refused.json();
    assert.deepEqual([code, usedBytes, newBytes], ['too_large', 3_001, 3_001]);
    await sums();
    const claimed = await claim(await service.creator());
    assert.deepEqual([claimed.status, claimed.json().uploads], [201, []], claimed.text());
    await sums();
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
