import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf, hostingCodeOf } from '../../test/answers.ts';
import { makeArena, makePlayers } from '../../test/arena.ts';
import { fileEntries, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { givenId } from '../platform/db/ids.ts';

describe('a space that its creator takes offline or deletes', () => {
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

  const act = (who: Persona, slug: string, action: 'offline' | 'online' | 'restore') =>
    who.call('POST', `/api/spaces/${slug}/${action}`);
  const remove = (who: Persona, slug: string) => who.call('DELETE', `/api/spaces/${slug}`);
  const operate = async (slug: string, action: string) => {
    const answer = await operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'Seen.' });
    return [answer.status, answer.json().state];
  };
  const statusOf = async (url: string) => (await service.get(url)).status;
  const listedSlugs = async () => {
    const { spaces } = (await service.anonymous.call('GET', '/api/gallery?limit=100')).json();
    return spaces.map(({ slug }: { slug: string }) => slug);
  };
  const mine = async (query = '') =>
    (await creator.call('GET', `/api/spaces?limit=100${query}`)).json().spaces as {
      slug: string;
      restorable_until?: string;
    }[];
  /** Returns the statuses of its page, its address and its preview. */
  async function seen(slug: string, previewUrl: string) {
    const { urls } = service.service.platform;
    return Promise.all([urls.page(slug), urls.live(slug), previewUrl].map(statusOf));
  }
  async function liveSpace() {
    const { space, version } = await publishLive(service, creator);
    const { previewUrl } = await creator.client.newPreview({ params: { id: version.id } });
    return { slug: space.slug, versionId: version.id, previewUrl };
  }

  it('is hidden everywhere at once, and restored unchanged', async () => {
    const { slug, versionId, previewUrl } = await liveSpace();
    assert.deepEqual(await seen(slug, previewUrl), [200, 200, 200]);
    assert.deepEqual(codeOf(await remove(stranger, slug)), [404, 'not_found']);

    const before = service.clock.now();
    const deleted = await remove(creator, slug);
    assert.equal(deleted.status, 200, deleted.text());
    const { restorable_until: until, ...answer } = deleted.json();
    assert.deepEqual(answer, { deleted: true });
    const weekMs = 7 * 24 * 3_600_000;
    assert.ok(
      Date.parse(until) >= before + weekMs && Date.parse(until) <= service.clock.now() + weekMs,
      until,
    );
    assert.deepEqual(await seen(slug, previewUrl), [410, 410, 410]);
    assert.match((await service.get(service.service.platform.urls.page(slug))).text(), /It was deleted\./u);
    assert.ok(!(await listedSlugs()).includes(slug));
    assert.ok(!(await mine()).some((space) => space.slug === slug));
    const listed = (await mine('&deleted=1')).find((space) => space.slug === slug);
    assert.equal(listed?.restorable_until, until);
    assert.deepEqual(codeOf(await remove(creator, slug)), [404, 'not_found']);
    for (const path of [`/api/spaces/${slug}`, `/api/gallery/${slug}`, `/api/spaces/${slug}/boards`])
      assert.deepEqual(codeOf(await creator.call('GET', path)), [404, 'not_found'], path);
    const version = await creator.call('GET', `/api/v1/hosting/versions/${versionId}`);
    assert.deepEqual(hostingCodeOf(version), [404, 'not_found']);
    const again = { space: slug, files: fileEntries(smallGame) };
    const refused = await creator.call('POST', '/api/v1/hosting/versions', again);
    assert.deepEqual(hostingCodeOf(refused), [404, 'not_found']);
    assert.deepEqual(codeOf(await act(creator, slug, 'online')), [404, 'not_found']);

    assert.deepEqual(codeOf(await act(stranger, slug, 'restore')), [404, 'not_found']);
    const restored = await act(creator, slug, 'restore');
    assert.equal(restored.status, 200, restored.text());
    assert.equal(restored.json().state, 'listed');
    assert.deepEqual(await seen(slug, previewUrl), [200, 200, 200]);
    assert.ok((await listedSlugs()).includes(slug));
    assert.deepEqual(codeOf(await act(creator, slug, 'restore')), [409, 'conflict']);
    await remove(creator, slug);
  });

  it('is deleted for good a week later, with everything in it but its slug', async () => {
    const arena = await makeArena(service, [{ key: 'points' }]);
    const { slug, spaceId } = arena;
    const [player = ''] = await makePlayers(service, 1);
    await arena.putAchievements({ stats: [{ key: 'hops' }], achievements: [{ key: 'first' }] });
    await arena.score('points', player, 5);
    await arena.call('POST', '/api/v1/achievements', { achievement: 'first', player });
    assert.equal((await remove(arena.creator, slug)).status, 200);
    assert.deepEqual(codeOf(await arena.post({ board: 'points', player, score: 9 })), [401, 'unauthorized']);

    service.clock.advance({ days: 6 });
    await service.service.sweep();
    const { db } = service.service.platform.database;
    const rows = (table: 'versions' | 'boards' | 'unlocks' | 'spaces') =>
      db
        .selectFrom(table as 'versions')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where((table === 'spaces' ? 'id' : 'space_id') as 'space_id', '=', spaceId)
        .executeTakeFirstOrThrow()
        .then(({ count }) => Number(count));
    const all = ['spaces', 'versions', 'boards', 'unlocks'] as const;
    // A board has one row for live play and one for the sandbox.
    assert.deepEqual(await Promise.all(all.map(rows)), [1, 1, 2, 1]);
    service.clock.advance({ days: 1, seconds: 1 });
    assert.deepEqual(codeOf(await act(arena.creator, slug, 'restore')), [404, 'not_found']);
    await service.service.sweep();
    assert.deepEqual(await Promise.all(all.map(rows)), [0, 0, 0, 0]);
    const left = await db
      .selectFrom('submissions')
      .selectAll()
      .where('player_id', '=', givenId('usr', `cre_${player}`))
      .execute();
    assert.deepEqual(left, []);

    const { urls } = service.service.platform;
    assert.deepEqual(await Promise.all([urls.page(slug), urls.live(slug)].map(statusOf)), [410, 410]);
    const next = await publishFiles(creator, smallGame);
    assert.notEqual(next.space.slug, slug);
    // A second day passes, so that the collector has looked twice.
    service.clock.advance({ days: 2 });
    await service.service.sweep();
    service.clock.advance({ days: 2 });
    await service.service.sweep();
  });

  it('stays offline until its creator brings it back, and its previews work meanwhile', async () => {
    const { slug, previewUrl } = await liveSpace();
    assert.deepEqual(codeOf(await act(stranger, slug, 'offline')), [404, 'not_found']);
    for (const _ of [1, 2]) {
      const offline = await act(creator, slug, 'offline');
      assert.deepEqual([offline.status, offline.json().state], [200, 'offline']);
    }
    assert.deepEqual(await seen(slug, previewUrl), [410, 410, 200]);
    assert.match((await service.get(service.service.platform.urls.page(slug))).text(), /taken it offline/u);
    assert.ok(!(await listedSlugs()).includes(slug));
    assert.ok((await mine()).some((space) => space.slug === slug));
    // The space can be published and changed as usual; what goes live is shown when it is back.
    const renamed = await creator.call('PATCH', `/api/spaces/${slug}`, { title: 'Sun Hopper' });
    assert.deepEqual([renamed.status, renamed.json().state], [200, 'offline']);
    await publishLive(service, creator, { ...smallGame, 'new.txt': 'new' }, { space: slug });
    assert.deepEqual(await seen(slug, previewUrl), [410, 410, 200]);
    const visitor = await signUp(service, { handle: 'grace' });
    const label = new URL(previewUrl).hostname.split('.')[0];
    const token = await visitor.call('POST', '/api/v1/player-tokens', { space: slug, preview: label });
    assert.notEqual(token.status, 500);

    const online = await act(creator, slug, 'online');
    assert.deepEqual([online.status, online.json().state], [200, 'listed']);
    assert.deepEqual(await seen(slug, previewUrl), [200, 200, 200]);
    assert.equal(await statusOf(`${service.service.platform.urls.live(slug)}new.txt`), 200);
  });

  it('keeps the state that an operator gave it', async () => {
    const { slug, previewUrl } = await liveSpace();
    for (const [action, undo, state] of [
      ['hold', 'release', 'held'],
      ['hide', 'restore', 'hidden'],
      ['remove', 'restore', 'removed'],
    ] as const) {
      assert.deepEqual(await operate(slug, action), [200, state]);
      for (const own of ['offline', 'online'] as const)
        assert.equal((await act(creator, slug, own)).json().state, state, own);
      assert.equal((await remove(creator, slug)).status, 200);
      assert.equal((await act(creator, slug, 'restore')).json().state, state);
      assert.deepEqual(await seen(slug, previewUrl), [410, 410, 410]);
      assert.equal((await act(creator, slug, 'offline')).json().state, state);
      assert.deepEqual(await operate(slug, undo), [200, 'offline']);
      assert.equal((await act(creator, slug, 'online')).json().state, 'listed');
    }
    // An operator's action on a deleted space stays in effect too.
    await remove(creator, slug);
    assert.deepEqual(await operate(slug, 'hold'), [200, 'deleted']);
    assert.equal((await act(creator, slug, 'restore')).json().state, 'held');
    assert.deepEqual(await operate(slug, 'release'), [200, 'listed']);
  });

  it('has its waiting checks ended', async () => {
    const { space, version } = await service.holdJobs(async () => {
      const published = await publishFiles(creator, smallGame, {}, { live: true });
      await remove(creator, published.space.slug);
      return published;
    });
    await service.settle();
    assert.equal((await act(creator, space.slug, 'restore')).status, 200);
    const read = await creator.client.readVersion({ params: { id: version.id } });
    assert.deepEqual([read.status, read.stopped], ['checking', true]);
    assert.match(read.reason ?? '', /deleted before the check ended/u);
  });

  it('cannot be changed by a banned account', async () => {
    const banned = await service.creator('badger');
    const { db } = service.service.platform.database;
    await db.updateTable('creators').set({ banned_at: 1 }).where('handle', '=', 'badger').execute();
    for (const [method, path] of [
      ['DELETE', '/api/spaces/any'],
      ['POST', '/api/spaces/any/restore'],
      ['POST', '/api/spaces/any/offline'],
      ['POST', '/api/spaces/any/online'],
    ] as const)
      assert.deepEqual(codeOf(await banned.call(method, path)), [403, 'forbidden'], path);
    const version = await banned.call('DELETE', '/api/v1/hosting/versions/any');
    assert.deepEqual([version.status, version.json().code], [403, 'forbidden']);
  });
});
