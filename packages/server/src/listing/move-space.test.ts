import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { movingCalls } from '../../test/moving.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('moving a space', () => {
  let pages: PageServer;
  let outside: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    outside = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
  });

  const { newPath, newPage, move, read, listed } = movingCalls(() => ({ pages, creator }));

  it('returns the space with the new address, and keeps everything else', async () => {
    const space = await listed();
    await creator.call('PATCH', `/api/spaces/${space.slug}`, {
      description: 'Hops.',
      page: { accent: '#112233' },
    });
    const before = await read(space.slug);
    const url = newPage();
    const answer = await move(space.slug, url);
    assert.equal(answer.status, 200, answer.text());
    const { previous_url, ...moved } = answer.json();
    assert.equal(previous_url, space.url);
    assert.equal(moved.service_url, space.service_url);
    assert.deepEqual(moved, { ...before, url, updated_at: moved.updated_at });
    assert.deepEqual(moved, await read(space.slug));
    assert.equal(answer.headers.etag, '"3"');
  });

  it('frees the previous address, for another space and for itself', async () => {
    const space = await listed();
    await move(space.slug, newPage());
    const again = await listed();
    await move(again.slug, newPage());
    assert.equal((await move(space.slug, again.url)).status, 200);
    assert.equal((await move(again.slug, space.url)).status, 200);
  });

  it('is possible six times in ten minutes, counting failures, also for twenty requests at once', async () => {
    const { slug } = await listed();
    const tries = await Promise.all(Array.from({ length: 20 }, () => move(slug, pages.url('/nowhere'))));
    assert.equal(tries.filter(({ status }) => status === 422).length, 6);
    const limited = tries.filter(({ status }) => status === 429);
    assert.equal(limited.length, 14);
    assert.deepEqual(codeOf(limited[0] ?? assert.fail()), [429, 'rate_limited']);
    assert.ok(limited[0]?.json().message);
    const wait = Number(limited[0]?.headers['retry-after']);
    assert.ok(wait > 590 && wait <= 600, String(wait));
    assert.equal((await move((await listed()).slug, newPage())).status, 200);
    service.clock.advance({ minutes: 10 });
    assert.equal((await move(slug, newPage())).status, 200);
  });

  it('counts all kinds of attempts together, and those of a second process', async () => {
    const { slug, url } = await listed();
    const addresses = [url, outside.url('/'), newPage(''), pages.put(newPath(), { status: 401 })];
    for (const address of addresses) assert.notEqual((await move(slug, address)).status, 200);
    await service.restart();
    const answers = await Promise.all(
      [newPage(), newPage(), newPage()].map((address) => move(slug, address)),
    );
    assert.equal(answers.filter(({ status }) => status === 429).length, 1);
  });

  describe('at the same time as other changes', () => {
    it('conflicts when the space was changed while the page was fetched', async () => {
      const space = await listed();
      const path = newPath();
      const url = pages.put(path, proofTag(creator.handle));
      const hold = pages.hold(path);
      const moving = move(space.slug, url);
      await hold.arrived;
      const patched = await creator.call('PATCH', `/api/spaces/${space.slug}`, { title: 'Changed' });
      assert.equal(patched.status, 200);
      hold.release();
      assert.deepEqual(codeOf(await moving), [409, 'conflict']);
      const now = await read(space.slug);
      assert.deepEqual([now.url, now.title], [space.url, 'Changed']);
      assert.equal((await move(space.slug, url)).status, 200);
    });

    it('conflicts for all but one of several moves at once', async () => {
      const space = await listed();
      const paths = [newPath(), newPath(), newPath()];
      const urls = paths.map((path) => pages.put(path, proofTag(creator.handle)));
      const holds = paths.map((path) => pages.hold(path));
      const moves = urls.map((url) => move(space.slug, url));
      await Promise.all(holds.map(({ arrived }) => arrived));
      for (const { release } of holds) release();
      const answers = await Promise.all(moves);
      const done = answers.filter(({ status }) => status === 200);
      assert.equal(done.length, 1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        assert.deepEqual(codeOf(answer), [409, 'conflict']);
      assert.equal((await read(space.slug)).url, done[0]?.json().url);
    });

    it('gives an address to one of two spaces that move to it', async () => {
      const spaces = [await listed(), await listed()];
      const path = newPath();
      const url = pages.put(path, proofTag(creator.handle));
      const answers = await Promise.all(spaces.map(({ slug }) => move(slug, url)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
      const lost = answers.find(({ status }) => status === 409);
      assert.deepEqual(lost && codeOf(lost), [409, 'duplicate']);
      const winner = spaces[answers.findIndex(({ status }) => status === 200)];
      assert.equal(lost?.json().url, winner?.service_url);
    });
  });

  it('may be done by an operator for any space whose page names its owner', async () => {
    const operator = await service.creator(undefined, { operator: true });
    const { slug } = await listed();
    assert.deepEqual(codeOf(await move(slug, newPage(proofTag(operator.handle)), operator)), [
      409,
      'unverified',
    ]);
    const moved = await move(slug, newPage(), operator);
    assert.equal(moved.status, 200, moved.text());
    assert.equal(moved.json().owner, creator.handle);
    assert.deepEqual(codeOf(await operator.call('GET', `/api/spaces/${slug}`)), [404, 'not_found']);
  });

  describe('of a hosted space', () => {
    it('ends its hosting, and keeps its versions', async () => {
      const first = await publishLive(service, creator);
      const { slug } = first.space;
      const open = await creator.client.createVersion({
        body: { space: slug, files: fileEntries(smallGame) },
      });
      assert.ok('version' in open);
      const origin = service.service.platform.urls.live(slug);
      assert.equal((await service.get(origin)).status, 200);
      const before = await read(slug);
      const url = newPage();
      const moved = await move(slug, url);
      assert.equal(moved.status, 200, moved.text());
      assert.equal(moved.json().previous_url, origin);
      const { previous_url: _, updated_at, ...space } = moved.json();
      assert.deepEqual({ ...space, updated_at: before.updated_at }, { ...before, url, hosted: false });
      assert.ok(updated_at >= before.updated_at);
      assert.equal((await service.get(origin)).status, 410);
      const { versions } = await creator.client.listVersions({ params: { slug } });
      assert.deepEqual(
        versions.map(({ leftBehind, live, rollback }) => ({ leftBehind, live, rollback })),
        [{ leftBehind: true, live: false, rollback: false }],
      );
      const finish = await creator.call('POST', `/api/v1/hosting/versions/${open.version.id}/finish`, {
        preview: false,
      });
      assert.deepEqual([finish.status, finish.json().code], [409, 'not_hosted']);
    });

    it('allows publishing to it again, which frees the address', async () => {
      const { space } = await publishLive(service, creator);
      const url = newPage();
      assert.equal((await move(space.slug, url)).status, 200);
      await publishLive(service, creator, smallGame, { space: space.slug });
      const now = await read(space.slug);
      assert.deepEqual(
        [now.hosted, now.url, now.live_version],
        [true, service.service.platform.urls.live(space.slug), 2],
      );
      const other = await creator.call('POST', '/api/spaces', { url, ...listing });
      assert.equal(other.status, 201, other.text());
    });

    it('keeps its versions that wait for a review from being approved', async () => {
      const ops = await service.creator('ops', { operator: true });
      const away = '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">';
      const { version, space } = await publishLive(service, creator, { 'index.html': away });
      await creator.call('POST', `/api/v1/hosting/versions/${version.id}/review`);
      const moved = await move(space.slug, newPage());
      assert.equal(moved.status, 200, moved.text());
      const path = `/api/operator/reviews/${version.id}`;
      const approved = await ops.call('POST', path, { decision: 'approve', reason: 'r' });
      assert.deepEqual(codeOf(approved), [409, 'not_hosted']);
      assert.equal((await ops.call('POST', path, { decision: 'decline', reason: 'r' })).status, 200);
    });

    it('ends its waiting checks', async () => {
      const idle = await startService({ role: 'serve', environment: { FETCH_ALLOW: pages.address } });
      try {
        const who = await idle.creator();
        const { version, space } = await publishFiles(who, smallGame, {}, { live: true });
        const waiting = who.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
        const moved = await move(space.slug, newPage(proofTag(who.handle)), who);
        assert.equal(moved.status, 200, moved.text());
        const stopped = await waiting;
        assert.deepEqual([stopped.status, stopped.stopped], ['checking', true]);
        assert.match(stopped.reason ?? '', /moved/u);
        const jobs = await idle.service.platform.database.db
          .selectFrom('jobs')
          .select('kind')
          .where('kind', '=', 'check')
          .execute();
        assert.deepEqual(jobs, []);
      } finally {
        await idle.close();
      }
    });
  });
});
