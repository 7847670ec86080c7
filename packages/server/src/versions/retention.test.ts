import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import {
  fileEntries,
  listing,
  publishFiles,
  publishLive,
  putFile,
  sha256,
  smallGame,
} from '../../test/files.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { withoutModule } from '../../test/without-module.ts';
import { givenId, type SpaceId } from '../platform/db/ids.ts';
import { lockSpace, pointSpaceAt } from '../spaces/spaces.ts';

describe('deleting unused files and versions', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '500', CHECKS_PER_HOUR: '500' } });
    creator = await service.creator();
  });
  after(() => service.close());

  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of service.service.platform.store.list()) found.push(key);
    return found;
  };
  const keysOf = async (content: string) => (await keys()).filter((key) => key.startsWith(sha256(content)));
  const create = async (files: Record<string, string>, space?: string) =>
    (
      await creator.call('POST', '/api/v1/hosting/versions', {
        ...(space ? { space } : { fields: listing }),
        files: fileEntries(files),
      })
    ).json();

  it('deletes an unfinished version a day after its links end, and its files a day later', async () => {
    const { version, uploads } = await create({ 'index.html': 'never finished' });
    await putFile(service, uploads[0].url, 'never finished');
    const read = () => creator.call('GET', `/api/v1/hosting/versions/${version.id}`);
    service.clock.advance({ hours: 25 });
    await service.service.sweep();
    assert.equal((await read()).status, 200, 'its links ended less than a day ago');
    service.clock.advance({ hours: 2 });
    await service.service.sweep();
    assert.deepEqual(hostingCodeOf(await read()), [404, 'not_found']);
    assert.equal((await keysOf('never finished')).length, 1, 'marked, not deleted');
    service.clock.advance({ hours: 25 });
    await service.service.sweep();
    assert.deepEqual(await keysOf('never finished'), []);
    const { db } = service.service.platform.database;
    assert.deepEqual(
      await db.selectFrom('blob_uploads').selectAll().where('hash', '=', sha256('never finished')).execute(),
      [],
    );
  });

  it('keeps files that a version names, however old', async () => {
    const { space } = await publishLive(service, creator, { 'index.html': 'kept page', 'kept.txt': 'kept' });
    service.clock.advance({ days: 40 });
    await service.service.sweep();
    service.clock.advance({ days: 2 });
    await service.service.sweep();
    const live = service.service.platform.urls.live(space.slug);
    assert.equal(withoutModule((await service.get(live)).text()), 'kept page');
    assert.equal((await service.get(`${live}kept.txt`)).text(), 'kept');
  });

  it('keeps marked files that a new version needs', async () => {
    const { version, uploads } = await create({ 'index.html': 'wanted again' });
    await putFile(service, uploads[0].url, 'wanted again');
    service.clock.advance({ hours: 27 });
    await service.service.sweep();
    const gone = await creator.call('GET', `/api/v1/hosting/versions/${version.id}`);
    assert.deepEqual(hostingCodeOf(gone), [404, 'not_found']);
    const second = await create({ 'index.html': 'wanted again' });
    assert.deepEqual(second.uploads, [], 'still had');
    service.clock.advance({ hours: 25 });
    await service.service.sweep();
    const finish = await creator.call('POST', `/api/v1/hosting/versions/${second.version.id}/finish`, {});
    assert.equal(finish.status, 200, finish.text());
    assert.equal(withoutModule((await service.get(finish.json().previewUrl)).text()), 'wanted again');
  });

  const publishPreviews = async (slug: string, count: number) => {
    for (let done = 0; done < count; done++) await publishFiles(creator, smallGame, { space: slug });
  };

  it('deletes all versions of a space but the newest 100 and the live one', async () => {
    const first = await publishLive(service, creator, smallGame);
    const { slug } = first.space;
    const second = await publishFiles(creator, smallGame, { space: slug });
    const link = second.previewUrl ?? assert.fail('a preview has a link');
    const stopped = await publishStopped(slug);
    await publishPreviews(slug, 102);
    const statuses = async () => {
      const reads = [second, stopped].map(({ version: { id } }) =>
        creator.call('GET', `/api/v1/hosting/versions/${id}`),
      );
      return (await Promise.all(reads)).map(({ status }) => status);
    };
    assert.deepEqual(await statuses(), [200, 200]);
    assert.equal((await service.get(link)).status, 200);
    await service.service.sweep();
    assert.deepEqual(await statuses(), [404, 404]);
    assert.equal((await service.get(link)).status, 410, 'until the link would have ended');
    const { versions } = await creator.client.listVersions({ params: { slug } });
    assert.equal(versions.length, 100);
    const { db } = service.service.platform.database;
    const kept = await db
      .selectFrom('versions')
      .select('number')
      .where('space_id', '=', await spaceId(slug))
      .orderBy('number')
      .execute();
    assert.deepEqual(
      kept.slice(0, 2).map(({ number }) => number),
      [1, 6],
    );
    assert.equal((await service.get(service.service.platform.urls.live(slug))).status, 200);
    service.clock.advance({ days: 3 });
    await service.service.sweep();
    assert.equal((await service.get(service.service.platform.urls.live(slug))).status, 200);
  });

  /** Publishes a version whose check is stopped before it begins. */
  async function publishStopped(slug: string) {
    const operator = await service.creator(undefined, { operator: true });
    const act = (action: string) =>
      operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'Looked at.' });
    await act('hide');
    const published = await publishFiles(creator, smallGame, { space: slug }, { live: true });
    await act('restore');
    const { status, stopped } = await creator.client.readVersion({ params: { id: published.version.id } });
    assert.deepEqual([status, stopped], ['checking', true]);
    return published;
  }

  it('counts only finished versions as kept', async () => {
    const { space, version } = await publishLive(service, creator, smallGame);
    await publishLive(service, creator, smallGame, { space: space.slug });
    for (let count = 0; count < 101; count++) await create({ 'index.html': 'never sent' }, space.slug);
    await service.service.sweep();
    const back = await creator.call('POST', `/api/v1/hosting/spaces/${space.slug}/rollback`, {
      version: version.number,
    });
    assert.equal(back.status, 200, back.text());
  });

  it('keeps a version that a rollback makes live at the same moment', {
    skip: withoutLockWaits,
  }, async () => {
    const { space, version } = await publishLive(service, creator, smallGame);
    await publishLive(service, creator, smallGame, { space: space.slug });
    await publishPreviews(space.slug, 99);
    await service.settle();
    const { database, urls } = service.service.platform;
    const id = await spaceId(space.slug);
    const { sweeping } = await database.transaction(async (tx) => {
      const locked = (await lockSpace(tx, id)) ?? assert.fail('the space is gone');
      await pointSpaceAt(tx, locked, givenId('ver', version.id), {});
      const sweep = service.service.sweep();
      await Promise.race([sweep, someoneWaits(database.db)]);
      return { sweeping: sweep };
    });
    await sweeping;
    assert.equal((await service.get(urls.live(space.slug))).status, 200);
    assert.equal((await creator.client.readVersion({ params: { id: version.id } })).status, 'live');
  });

  async function spaceId(slug: string): Promise<SpaceId> {
    const { db } = service.service.platform.database;
    return (await db.selectFrom('spaces').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id;
  }
});

describe('compressed forms', () => {
  it('are made once, sent to clients that accept them, and deleted with their file', async () => {
    const service = await startService();
    try {
      const creator = await service.creator();
      const script = `const words = ${JSON.stringify('the same words again and again '.repeat(400))};`;
      const { space } = await publishLive(service, creator, {
        'index.html': '<script src=a.js></script>',
        'a.js': script,
      });
      await service.settle();
      const { urls, database } = service.service.platform;
      const url = `${urls.live(space.slug)}a.js`;
      for (const coding of ['br', 'zstd', 'gzip']) {
        const answer = await service.get(url, { headers: { 'accept-encoding': coding } });
        assert.equal(answer.headers['content-encoding'], coding);
        assert.ok(answer.body.length < script.length / 10);
      }
      assert.equal((await service.get(url)).text(), script);
      const forms = await database.db.selectFrom('blob_forms').selectAll().execute();
      assert.equal(forms.length, 3);
      await publishLive(service, creator, { 'index.html': 'again', 'a.js': script });
      assert.deepEqual(await database.db.selectFrom('blob_forms').selectAll().execute(), forms);
      service.clock.advance({ days: 2 });
      await service.service.sweep();
      assert.equal((await service.get(url, { headers: { 'accept-encoding': 'br' } })).status, 200);
    } finally {
      await service.close();
    }
  });
});

describe('a stored object that no row names', () => {
  it('is deleted a day after it was written, as after a crash between the two writes', async () => {
    const service = await startService();
    try {
      const { store } = service.service.platform;
      const keys = async () => {
        const found: string[] = [];
        for await (const { key } of store.list()) found.push(key);
        return found;
      };
      const bytes = Buffer.from('orphaned bytes');
      const key = await store.write(Readable.from([bytes]), { hash: sha256(bytes), size: bytes.length });
      await service.service.sweep();
      assert.deepEqual(await keys(), [key]);
      service.clock.advance({ hours: 25 });
      await service.service.sweep();
      assert.deepEqual(await keys(), []);
    } finally {
      await service.close();
    }
  });
});
