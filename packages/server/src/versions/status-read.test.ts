import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { engines, migratedDatabase } from '../../test/database.ts';
import {
  fileEntries,
  listing,
  publishFiles,
  publishLive,
  putFile,
  sha256,
  smallGame,
} from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { createStatusCache, type Status } from './status-cache.ts';
import '../../test/one-engine.ts';

const path = '/api/v1/hosting/versions';
const badGame = { 'index.html': '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">' };

/**
 * Every read comes twice, before a change and right after it: the second answer must not be the cached first
 * one.
 */
describe('a status read right after a change', () => {
  let service: TestService;
  let creator: Persona;
  let operator: Persona;
  before(async () => {
    service = await startService({
      environment: { WAITING_CHECKS: '100', PUBLISHES_PER_HOUR: '1000' },
    });
    creator = await service.creator();
    operator = await service.creator(undefined, { operator: true });
  });
  after(() => service.close());

  const read = async (id: string, reader: Pick<Persona, 'call'> = creator) =>
    (await reader.call('GET', `${path}/${id}`)).json();
  const act = async (what: string, reason = 'a test') =>
    assert.equal((await operator.call('POST', `/api/operator/${what}`, { reason })).status, 200);

  it('shows uploads, the finish and the verdict', async () => {
    const body = { fields: listing, files: fileEntries(smallGame) };
    const { version, uploads } = (await creator.call('POST', path, body)).json();
    for (const [path, content] of Object.entries(smallGame)) {
      assert.ok((await read(version.id)).missing.includes(path));
      const { url } = uploads.find((upload: { sha256: string }) => upload.sha256 === sha256(content));
      assert.equal((await putFile(service, url, content)).status, 200);
    }
    assert.deepEqual((await read(version.id)).missing, []);
    await creator.call('POST', `${path}/${version.id}/finish`, { preview: false });
    assert.ok(['checking', 'live'].includes((await read(version.id)).status));
    await service.settle();
    const { status, liveAt, missing } = await read(version.id);
    assert.deepEqual([status, typeof liveAt, missing], ['live', 'string', undefined]);
  });

  it('shows a new preview link, and no link after its end', async () => {
    const { version, previewUrl } = await publishFiles(creator, smallGame);
    assert.equal((await read(version.id)).previewUrl, previewUrl);
    service.clock.advance({ minutes: 1 });
    const renewed = (await creator.call('POST', `${path}/${version.id}/preview`)).json();
    assert.notEqual(renewed.previewUrl, previewUrl);
    assert.equal((await read(version.id)).previewUrl, renewed.previewUrl);
    service.clock.advance({ hours: 24 });
    assert.equal((await read(version.id)).previewUrl, undefined);
  });

  it('shows that a review was requested, and how it was decided', async () => {
    const { version } = await publishLive(service, creator, badGame);
    const before = await read(version.id);
    assert.deepEqual([before.status, before.reviewRequested], ['refused', false]);
    await creator.call('POST', `${path}/${version.id}/review`);
    assert.equal((await read(version.id)).reviewRequested, true);
    await operator.call('POST', `/api/operator/reviews/${version.id}`, {
      decision: 'decline',
      reason: 'It leads away.',
    });
    assert.equal((await read(version.id)).reason, 'It leads away.');
  });

  it('shows that a version was approved', async () => {
    const { version } = await publishLive(service, creator, badGame);
    await creator.call('POST', `${path}/${version.id}/review`);
    assert.equal((await read(version.id)).status, 'refused');
    await operator.call('POST', `/api/operator/reviews/${version.id}`, {
      decision: 'approve',
      reason: 'Fine.',
    });
    const { status, reason } = await read(version.id);
    assert.deepEqual([status, reason], ['live', undefined]);
  });

  it('shows that the check was ended, by whatever action', async () => {
    const { space } = await publishLive(service, creator);
    await act(`spaces/${space.slug}/hide`);
    const { version } = await publishFiles(creator, smallGame, { space: space.slug }, { live: true });
    assert.equal((await read(version.id)).stopped, true);
    await act(`spaces/${space.slug}/restore`);
  });

  it('is for the creator only, also from the cache', async () => {
    const stranger = await service.creator();
    const { version } = await publishFiles(creator, smallGame);
    assert.equal((await read(version.id)).status, 'preview');
    const foreign = await stranger.call('GET', `${path}/${version.id}`);
    assert.deepEqual(hostingCodeOf(foreign), [404, 'not_found']);
  });

  it('is for the account after the page was claimed, at its new address', async () => {
    const files = { 'index.html': 'claimed' };
    const created = (
      await service.anonymous.call('POST', path, { fields: listing, files: fileEntries(files) })
    ).json();
    for (const { url } of created.uploads) await putFile(service, url, 'claimed');
    const { id } = created.version;
    const claim = created.claimToken;
    await service.anonymous.call('POST', `${path}/${id}/finish`, { claim });
    const holder = {
      call: (method: string, where: string) =>
        service.anonymous.call(method, where, undefined, { 'x-service-claim': claim }),
    };
    assert.equal((await read(id, holder)).pageUrl, created.pageUrl);
    assert.deepEqual(hostingCodeOf(await creator.call('GET', `${path}/${id}`)), [404, 'not_found']);
    await creator.call('POST', `${path}/${id}/finish`, { claim });
    const { pageUrl } = await read(id);
    assert.ok(pageUrl !== created.pageUrl && pageUrl.includes('moon-hopper'), pageUrl);
    assert.deepEqual(hostingCodeOf(await holder.call('GET', `${path}/${id}`)), [409, 'claim_spent']);
  });
});

for (const engine of engines)
  describe(`cached statuses on ${engine}`, () => {
    const status = (number: number): Status => ({
      space: { id: givenId('spc', 'spc'), owner_id: givenId('usr', 'usr'), slug: 'moon' },
      read: {
        id: 'ver',
        number,
        status: 'live',
        pageUrl: 'http://localhost/s/moon',
        createdAt: '2026-01-01T00:00:00.000Z',
        reviewRequested: false,
      },
      json: '{}',
      endsAt: null,
    });

    it('are looked up once, until they, their space or everything may have changed', async () => {
      const { database, close } = await migratedDatabase(engine);
      const cache = createStatusCache({ database, clock: { now: () => 0, movedMs: () => 0 } });
      let lookUps = 0;
      const find = async () =>
        (await cache.find(givenId('ver', 'ver'), async () => status(++lookUps))).read.number;
      assert.deepEqual([await find(), await find()], [1, 1]);
      const told: [string, string][] = [
        ['version', 'ver'],
        ['space', 'moon'],
        ['version', '*'],
        ['space', '*'],
      ];
      for (const [index, [thing, id]] of told.entries()) {
        for (const other of [`${id}x`, id]) {
          if (other === '*x') continue;
          database.announcements.deliver([`${thing}:${other}`]);
          assert.equal(await find(), other === id ? index + 2 : index + 1, `${thing} ${other}`);
        }
      }
      cache.close();
      await close();
    });

    it('do not come from a lookup during which they changed', async () => {
      const { database, close } = await migratedDatabase(engine);
      const cache = createStatusCache({ database, clock: { now: () => 0, movedMs: () => 0 } });
      const overtaken = await cache.find(givenId('ver', 'ver'), async () => {
        await database.transaction(async (tx) => tx.announce('version', 'ver'));
        return status(1);
      });
      assert.equal(overtaken.read.number, 1);
      assert.equal((await cache.find(givenId('ver', 'ver'), async () => status(2))).read.number, 2);
      cache.close();
      await close();
    });
  });
