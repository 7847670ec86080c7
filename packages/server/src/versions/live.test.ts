import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { fileEntries, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { recordJudgement } from './judgement.ts';

const game = (mark: string) => ({ ...smallGame, 'index.html': `<title>${mark}</title>` });

describe('versions of a space', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  const shown = async (slug: string) => (await service.get(service.service.platform.urls.live(slug))).text();
  const rollback = (slug: string, version: unknown, who = creator) =>
    who.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version });

  it('are listed newest first, with the live one marked', async () => {
    const first = await publishLive(service, creator, game('one'));
    const { slug } = first.space;
    await publishLive(service, creator, game('two'), { space: slug });
    await publishFiles(creator, game('three'), { space: slug });
    const { versions } = await creator.client.listVersions({ params: { slug } });
    assert.deepEqual(
      versions.map(({ number, status, live, rollback: can, leftBehind, files }) => ({
        number,
        status,
        live,
        can,
        leftBehind,
        files,
      })),
      [
        { number: 3, status: 'preview', live: false, can: false, leftBehind: false, files: 2 },
        { number: 2, status: 'live', live: true, can: false, leftBehind: false, files: 2 },
        { number: 1, status: 'live', live: false, can: true, leftBehind: false, files: 2 },
      ],
    );
    assert.equal(
      versions[0]?.size,
      Buffer.byteLength(game('three')['index.html']) + Buffer.byteLength(smallGame['game.js'] ?? ''),
    );
  });

  it('can be rolled back and forward at once', async () => {
    const first = await publishLive(service, creator, game('old'));
    const { slug } = first.space;
    await publishLive(service, creator, game('new'), { space: slug });
    assert.match(await shown(slug), /new/u);
    for (const [version, mark] of [
      [1, 'old'],
      [2, 'new'],
      [1, 'old'],
      [1, 'old'],
    ] as const) {
      const answer = await rollback(slug, version);
      assert.equal(answer.status, 200, answer.text());
      assert.deepEqual(answer.json(), {
        version: { number: version },
        status: 'live',
        pageUrl: `${service.baseUrl}/s/${slug}`,
      });
      assert.match(await shown(slug), new RegExp(mark, 'u'));
    }
    const { versions } = await creator.client.listVersions({ params: { slug } });
    assert.deepEqual(
      versions.map(({ status }) => status),
      ['live', 'live'],
    );
  });

  it('cannot be rolled back to when they were never live or are unknown', async () => {
    const { space } = await publishLive(service, creator, game('a'));
    const preview = await publishFiles(creator, game('b'), { space: space.slug });
    const never = await rollback(space.slug, preview.version.number);
    assert.equal(never.status, 409);
    assert.equal(never.json().code, 'not_allowed');
    assert.equal((await rollback(space.slug, 99)).json().code, 'not_found');
    for (const version of ['one', 2 ** 31])
      assert.equal((await rollback(space.slug, version)).json().code, 'invalid_request');
    assert.equal((await rollback('nowhere', 1)).json().code, 'not_found');
    assert.equal((await rollback(space.slug, 1, await service.creator())).json().code, 'not_owner');
    const list = await (await service.creator()).call('GET', `/api/v1/hosting/spaces/${space.slug}/versions`);
    assert.equal(list.json().code, 'not_owner');
    const nowhere = await creator.call('GET', '/api/v1/hosting/spaces/nowhere/versions');
    assert.deepEqual(hostingCodeOf(nowhere), [404, 'not_found']);
  });

  it('serve the newest one, in whatever order their checks end', async () => {
    const idle = await startService({ role: 'serve' });
    try {
      const who = await idle.creator();
      const first = await publishFiles(who, game('first'), {}, { live: true });
      const second = await publishFiles(who, game('second'), { space: first.space.slug }, { live: true });
      const { platform } = idle.service;
      for (const { version } of [second, first]) {
        await platform.database.transaction((tx) =>
          recordJudgement(tx, givenId('ver', version.id), { verdict: 'pass', report: { findings: [] } }),
        );
      }
      assert.match((await idle.get(platform.urls.live(first.space.slug))).text(), /second/u);
      const { versions } = await who.client.listVersions({ params: { slug: first.space.slug } });
      assert.deepEqual(
        versions.map(({ status, live }) => [status, live]),
        [
          ['live', true],
          ['live', false],
        ],
      );
    } finally {
      await idle.close({ allowFailedJobs: true });
    }
  });

  it('are refused with a reason and a finding that says what to change', async () => {
    const bad = { 'index.html': '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">' };
    const { version, space } = await publishLive(service, creator, bad);
    const read = await creator.client.readVersion({ params: { id: version.id } });
    assert.equal(read.status, 'refused');
    assert.ok(read.reason);
    const finding = read.report?.findings.find(({ severity }) => severity === 'refuse');
    assert.equal(finding?.path, 'index.html');
    assert.ok(finding?.fix);
    assert.equal((await service.get(service.service.platform.urls.live(space.slug))).status, 404);
    assert.equal(read.previewUrl, undefined);
  });

  describe('previews', () => {
    const preview = (id: string, who = creator) => who.call('POST', `/api/v1/hosting/versions/${id}/preview`);

    it('get new links that end after a time', async () => {
      const { version } = await publishFiles(creator, game('peek'));
      const answer = await preview(version.id);
      assert.equal(answer.status, 200, answer.text());
      const { previewUrl } = answer.json();
      assert.match((await service.get(previewUrl)).text(), /peek/u);
      const served = await service.get(previewUrl);
      assert.equal(served.headers['x-robots-tag'], 'noindex');
      assert.equal(served.headers['cache-control'], 'private, no-store');
      service.clock.advance({ hours: 24, seconds: 1 });
      const gone = await service.get(previewUrl);
      assert.equal(gone.status, 410);
      assert.equal(gone.headers['clear-site-data'], '"cache", "storage"');
      const again = await preview(version.id);
      assert.equal((await service.get(again.json().previewUrl)).status, 200);
    });

    it('are not made for versions that are unfinished, refused or unknown', async () => {
      const created = await creator.client.createVersion({
        body: {
          fields: { title: 'T', space_type: 'game', devices: ['desktop'] },
          files: [{ path: 'index.html', size: 1, sha256: '0'.repeat(64) }],
        },
      });
      assert.ok('version' in created);
      assert.equal((await preview(created.version.id)).json().code, 'not_previewable');
      const bad = await publishLive(service, creator, {
        'index.html': '<meta http-equiv=refresh content="0;url=https://else.example">',
      });
      const refused = await preview(bad.version.id);
      assert.equal(refused.status, 409);
      assert.equal(refused.json().code, 'not_previewable');
      assert.equal((await preview('ver_none')).json().code, 'not_found');
      assert.equal((await preview(created.version.id, await service.creator())).json().code, 'not_found');
    });

    it('are shown and made only while the space is on the service', async () => {
      const { version, space, previewUrl } = await publishFiles(creator, game('held'));
      const { db } = service.service.platform.database;
      for (const state of ['held', 'hidden', 'removed'] as const) {
        await db.updateTable('spaces').set({ state }).where('slug', '=', space.slug).execute();
        const answer = await preview(version.id);
        assert.equal(answer.status, 409);
        assert.equal(answer.json().code, 'space_unavailable');
        service.clock.advance({ minutes: 1 });
        assert.equal((await service.get(previewUrl ?? '')).status, 410);
      }
    });
  });

  describe('reviews', () => {
    const review = (id: string, who = creator) => who.call('POST', `/api/v1/hosting/versions/${id}/review`);
    const bad = (mark: string) => ({
      'index.html': `${mark}<meta http-equiv=refresh content="0;url=https://else.example">`,
    });

    it('are requested once', async () => {
      const { space, version } = await publishLive(service, creator, bad('r1'));
      const isReviewable = async () => {
        const { versions } = await creator.client.listVersions({ params: { slug: space.slug } });
        return versions.find(({ id }) => id === version.id)?.reviewable;
      };
      assert.equal(await isReviewable(), true);
      const first = await review(version.id);
      assert.equal(first.status, 200, first.text());
      assert.equal(await isReviewable(), false);
      service.clock.advance({ minutes: 5 });
      assert.deepEqual((await review(version.id)).json(), first.json());
      assert.equal((await creator.client.readVersion({ params: { id: version.id } })).reviewRequested, true);
    });

    it('cannot be requested for versions that passed, are older than the live one, or are unknown', async () => {
      const passed = await publishLive(service, creator, game('fine'));
      const answer = await review(passed.version.id);
      assert.equal(answer.status, 409);
      assert.equal(answer.json().code, 'not_refused');
      const refused = await publishLive(service, creator, bad('r2'), { space: passed.space.slug });
      await publishLive(service, creator, game('newer'), { space: passed.space.slug });
      assert.equal((await review(refused.version.id)).json().code, 'superseded');
      assert.equal((await review('ver_none')).json().code, 'not_found');
      assert.equal((await review(refused.version.id, await service.creator())).json().code, 'not_found');
    });
  });

  describe('from before a move to a live URL', () => {
    it('can only be previewed', async () => {
      const { space, version } = await publishLive(service, creator, game('before the move'));
      const waiting = await publishLive(
        service,
        creator,
        { 'index.html': '<meta http-equiv=refresh content="0;url=https://e.example">' },
        { space: space.slug },
      );
      const { db } = service.service.platform.database;
      const unfinished = await creator.client.createVersion({
        body: { space: space.slug, files: fileEntries(game('before the move')) },
      });
      assert.ok('version' in unfinished);
      const row = await db
        .selectFrom('spaces')
        .select('id')
        .where('slug', '=', space.slug)
        .executeTakeFirstOrThrow();
      await db
        .updateTable('spaces')
        .set({ hosted: 0, url: 'https://moved.example/' })
        .where('id', '=', row.id)
        .execute();
      await db.updateTable('versions').set({ left_behind: 1 }).where('space_id', '=', row.id).execute();

      const finish = await creator.call('POST', `/api/v1/hosting/versions/${unfinished.version.id}/finish`, {
        preview: false,
      });
      assert.equal(finish.json().code, 'not_hosted');
      assert.equal(
        (await creator.call('POST', `/api/v1/hosting/versions/${waiting.version.id}/review`)).json().code,
        'not_hosted',
      );
      assert.equal((await rollback(space.slug, 1)).json().code, 'not_allowed');
      assert.equal(
        (await creator.call('POST', `/api/v1/hosting/versions/${version.id}/preview`)).status,
        200,
      );
      const { versions } = await creator.client.listVersions({ params: { slug: space.slug } });
      assert.ok(
        versions.length === 2 && versions.every((one) => one.leftBehind && !one.rollback && !one.live),
      );
      const after = await publishLive(service, creator, game('after the move'), { space: space.slug });
      assert.match(await shown(space.slug), /after the move/u);
      assert.equal((await rollback(space.slug, 1)).json().code, 'not_allowed');
      assert.equal((await rollback(space.slug, after.version.number)).status, 200);
    });
  });

  it('cannot be published, finished for production or rolled back while the space is off the service', async () => {
    const { space } = await publishLive(service, creator, game('on'));
    const second = await publishLive(service, creator, game('on too'), { space: space.slug });
    const { db } = service.service.platform.database;
    const files = fileEntries(game('on'));
    for (const state of ['held', 'removed'] as const) {
      await db.updateTable('spaces').set({ state: 'listed' }).where('slug', '=', space.slug).execute();
      const open = await creator.client.createVersion({ body: { space: space.slug, files } });
      assert.ok('version' in open);
      await db.updateTable('spaces').set({ state }).where('slug', '=', space.slug).execute();
      const create = await creator.call('POST', '/api/v1/hosting/versions', { space: space.slug, files });
      assert.deepEqual([create.status, create.json().code], [409, state]);
      const finish = await creator.call('POST', `/api/v1/hosting/versions/${open.version.id}/finish`, {
        preview: false,
      });
      assert.deepEqual([finish.status, finish.json().code], [409, state]);
      const back = await rollback(space.slug, second.version.number - 1);
      assert.deepEqual([back.status, back.json().code], [409, state]);
      service.clock.advance({ minutes: 1 });
      assert.equal((await service.get(service.service.platform.urls.live(space.slug))).status, 410);
    }
  });
});
