import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { findSpaceBySlug, lockSpace } from '../spaces/spaces.ts';
import { dropVersion } from './delete-version.ts';

describe('a version that its creator deletes', () => {
  let service: TestService;
  let creator: Persona;
  let stranger: Persona;
  let operator: Persona;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000' } });
    creator = await service.creator('ada');
    stranger = await service.creator('eve');
    operator = await service.creator('ops', { operator: true });
  });
  after(() => service.close());

  const operate = async (slug: string, action: string) => {
    const answer = await operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'Seen.' });
    assert.equal(answer.status, 200, answer.text());
  };
  const statusOf = async (url: string) => (await service.get(url)).status;
  async function liveSpace() {
    const { space, version } = await publishLive(service, creator);
    const { previewUrl } = await creator.client.newPreview({ params: { id: version.id } });
    return { slug: space.slug, versionId: version.id, previewUrl };
  }
  const removeVersion = async (who: Persona, id: string) => {
    const answer = await who.call('DELETE', `/api/v1/hosting/versions/${id}`);
    return [answer.status, answer.json().code ?? answer.json().deleted];
  };

  it('is deleted with its links, unless it is the live one', async () => {
    const first = await liveSpace();
    const second = await publishLive(
      service,
      creator,
      { ...smallGame, 'second.txt': '2' },
      { space: first.slug },
    );
    assert.deepEqual(await removeVersion(stranger, first.versionId), [404, 'not_found']);
    assert.deepEqual(await removeVersion(creator, second.version.id), [409, 'not_allowed']);
    assert.equal(await statusOf(first.previewUrl), 200);
    for (const [action, undo, code] of [
      ['hold', 'release', 'held'],
      ['remove', 'restore', 'removed'],
    ] as const) {
      await operate(first.slug, action);
      assert.deepEqual(await removeVersion(creator, first.versionId), [409, code]);
      await operate(first.slug, undo);
    }
    assert.deepEqual(await removeVersion(creator, first.versionId), [200, true]);
    assert.equal(await statusOf(first.previewUrl), 410);
    assert.deepEqual(await removeVersion(creator, first.versionId), [404, 'not_found']);
    const { versions } = await creator.client.listVersions({ params: { slug: first.slug } });
    assert.deepEqual(
      versions.map(({ id }) => id),
      [second.version.id],
    );
    const back = await creator.call('POST', `/api/v1/hosting/spaces/${first.slug}/rollback`, {
      version: 1,
    });
    assert.deepEqual(hostingCodeOf(back), [404, 'not_found']);
    assert.equal(await statusOf(service.service.platform.urls.live(first.slug)), 200);
    // Its links are deleted a day after they would have ended.
    service.clock.advance({ days: 3 });
    await service.service.sweep();
    assert.equal(await statusOf(first.previewUrl), 404);
  });

  for (const [whose, path] of [
    ['its creator', (id: string) => `/api/v1/hosting/versions/${id}/preview`],
    ['an operator', (id: string) => `/api/operator/reviews/${id}/preview`],
  ] as const)
    it(`gives ${whose} no link at the same moment`, { skip: withoutLockWaits }, async () => {
      const who = whose === 'an operator' ? operator : creator;
      const { slug } = await liveSpace();
      const { version } = await publishFiles(creator, smallGame, { space: slug });
      await service.settle();
      const id = givenId('ver', version.id);
      const { database } = service.service.platform;
      const { db } = database;
      await db.updateTable('versions').set({ review_requested_at: 1 }).where('id', '=', id).execute();
      const { asking } = await database.transaction(async (tx) => {
        const found = (await findSpaceBySlug(tx.db, slug)) ?? assert.fail('the space is gone');
        const space = (await lockSpace(tx, found.id)) ?? assert.fail('the space is gone');
        await dropVersion(tx, space, id);
        const answer = who.call('POST', path(id));
        await Promise.race([answer, someoneWaits(db)]);
        return { asking: answer };
      });
      const answer = await asking;
      const { error, code = error } = answer.json();
      assert.deepEqual([answer.status, code], [404, 'not_found']);
    });

  it('is not checked if it still waits for its check', async () => {
    const { slug } = await liveSpace();
    await service.holdJobs(async () => {
      const files = { ...smallGame, 'w.txt': 'w' };
      const { version } = await publishFiles(creator, files, { space: slug }, { live: true });
      assert.deepEqual(await removeVersion(creator, version.id), [200, true]);
    });
    await service.settle();
    assert.equal((await creator.client.readSpace({ params: { slug } })).live_version, 1);
  });
});
