import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { listing, publishFiles, smallGame } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('asking for a new picture', () => {
  let pages: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    // This process runs no jobs: the test looks at the jobs that wait for a worker.
    const environment = { FETCH_ALLOW: pages.address, BROWSER: 'auto' };
    service = await startService({ role: 'serve', environment });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  let nextPath = 0;
  async function listed(who = creator): Promise<{ slug: string; url: string }> {
    const url = pages.put(`/page-${nextPath++}`, proofTag(who.handle));
    return (await who.call('POST', '/api/spaces', { url, ...listing })).json();
  }
  const recapture = (body: unknown, who: Pick<Persona, 'call'> = creator) =>
    who.call('POST', '/api/spaces/recapture', body);
  const waiting = async (slug: string) => {
    const jobs = await service.service.platform.database.db
      .selectFrom('jobs')
      .innerJoin('spaces', 'spaces.id', 'jobs.ref')
      .select(['jobs.kind', 'spaces.takes', 'jobs.run_at'])
      .where('spaces.slug', '=', slug)
      .orderBy('jobs.kind')
      .execute();
    return jobs;
  };

  it('happens on listing and moving', async () => {
    const { slug } = await listed();
    const [job] = await waiting(slug);
    assert.deepEqual([job?.kind, job?.takes], ['clip', 1]);
    const url = pages.put(`/page-${nextPath++}`, proofTag(creator.handle));
    assert.equal((await creator.call('POST', `/api/spaces/${slug}/move`, { url })).status, 200);
    assert.equal((await waiting(slug))[0]?.takes, 2);
  });

  it('returns the number of the next picture, and visits the page again', async () => {
    const { slug } = await listed();
    const etag = (await creator.call('GET', `/api/spaces/${slug}`)).headers.etag;
    const answer = await recapture({ slug });
    assert.equal(answer.status, 202, answer.text());
    assert.equal(answer.json().take, 2);
    const now = service.clock.now();
    assert.ok(Math.abs(Date.parse(answer.json().requested_at) - now) < 5_000);
    const jobs = await waiting(slug);
    assert.deepEqual(
      jobs.map(({ kind, run_at }) => [kind, run_at <= now]),
      [
        ['clip', true],
        ['page-sync', true],
      ],
    );
    assert.equal((await recapture({ slug })).json().take, 3);
    assert.equal((await creator.call('GET', `/api/spaces/${slug}`)).headers.etag, etag);
  });

  it('is possible six times an hour for a space, also for twenty requests at once', async () => {
    const { slug } = await listed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => recapture({ slug })));
    const takes = answers
      .filter(({ status }) => status === 202)
      .map((answer) => answer.json().take as number);
    assert.deepEqual(takes.sort(), [2, 3, 4, 5, 6, 7]);
    const limited = answers.filter(({ status }) => status !== 202);
    for (const answer of limited) assert.deepEqual(codeOf(answer), [429, 'rate_limited']);
    assert.ok(Number(limited[0]?.headers['retry-after']) > 3_500);
    assert.equal((await recapture({ slug: (await listed()).slug })).status, 202);
    service.clock.advance({ hours: 1 });
    assert.equal((await recapture({ slug })).json().take, 8);
  });

  it('happens when a space comes back whose picture was not taken meanwhile', async () => {
    const { slug } = await listed();
    const operator = await service.creator(undefined, { operator: true });
    const act = async (action: string) => {
      const answer = await operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'r' });
      assert.equal(answer.status, 200, answer.text());
    };
    const takes = async () => (await waiting(slug)).find(({ kind }) => kind === 'clip')?.takes;
    assert.equal(await takes(), 1);
    for (const action of ['hold', 'hide']) await act(action);
    assert.equal(await takes(), 1);
    // The space was held before it was hidden, so it is still not visible.
    await act('restore');
    assert.equal(await takes(), 1);
    await act('release');
    assert.equal(await takes(), 2);
    await act('remove');
    await act('restore');
    assert.equal(await takes(), 3);
  });

  it('works for a hosted space, without fetching its files as a page', async () => {
    const { space } = await publishFiles(creator, smallGame);
    assert.equal((await recapture({ slug: space.slug })).status, 202);
    const kinds = (await waiting(space.slug)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['clip']);
  });

  it('needs { slug }', async () => {
    for (const body of ['{', {}, { slug: 1 }, { slug: 'a', more: 1 }])
      assert.deepEqual(codeOf(await recapture(body)), [422, 'invalid']);
    assert.deepEqual(codeOf(await recapture({ slug: 'nowhere' })), [404, 'not_found']);
  });

  it('is refused while the space is off the service, and to a banned account', async () => {
    const { slug } = await listed();
    const operator = await service.creator(undefined, { operator: true });
    const act = (action: string) =>
      operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'r' });
    for (const [action, code] of [
      ['hold', 'held'],
      ['remove', 'removed'],
    ] as const) {
      assert.equal((await act(action)).status, 200);
      assert.deepEqual(codeOf(await recapture({ slug })), [409, code]);
    }
    const banned = await service.creator();
    const own = await listed(banned);
    const { db } = service.service.platform.database;
    await db.updateTable('creators').set({ banned_at: 1 }).where('handle', '=', banned.handle).execute();
    service.service.platform.database.announcements.deliverEverything();
    assert.deepEqual(codeOf(await recapture({ slug: own.slug }, banned)), [403, 'forbidden']);
  });

  it('is refused when the browser does not start, and does not count then', async () => {
    const environment = { FETCH_ALLOW: pages.address, BROWSER: '/bin/false' };
    const broken = await startService({ environment });
    try {
      const who = await broken.creator();
      const { slug } = await listed(who);
      const { db } = broken.service.platform.database;
      const takes = () =>
        db.selectFrom('spaces').select('takes').where('slug', '=', slug).executeTakeFirstOrThrow();
      const before = await takes();
      assert.deepEqual(codeOf(await recapture({ slug }, who)), [503, 'failed']);
      assert.deepEqual(await takes(), before);
    } finally {
      // The picture that the listing asked for cannot be taken here.
      await broken.close({ allowFailedJobs: true });
    }
  });

  it('is refused on a server without a browser, and does not count then', async () => {
    const blind = await startService({ environment: { FETCH_ALLOW: pages.address } });
    try {
      const who = await blind.creator();
      const { slug } = await listed(who);
      for (let count = 0; count < 8; count++) {
        const answer = await recapture({ slug }, who);
        assert.deepEqual(codeOf(answer), [503, 'failed']);
        assert.ok(answer.headers['retry-after']);
      }
      assert.deepEqual(codeOf(await recapture({ slug: 'nowhere' }, who)), [404, 'not_found']);
    } finally {
      await blind.close();
    }
  });
});
