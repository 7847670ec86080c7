import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { publishArchive } from '@spaceport/contract/one-call';
import type { AnswerOf } from '@spaceport/contract/operation';
import { zipOf } from '../../test/archives.ts';
import { startClamdServer } from '../../test/clamd-server.ts';
import { type Files, fileEntries, listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

/** A game that is refused, because it redirects to another site. */
const badGame = (mark = '') => ({
  'index.html': `<meta http-equiv="refresh" content="0;url=https://elsewhere.example/"><p>${mark}</p>`,
});
const versions = '/api/v1/hosting/versions';

describe('the safety check of a preview', () => {
  let service: TestService;
  let creator: Persona;
  let operator: Persona;
  before(async () => {
    service = await startService({
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '100', PUBLISHES_PER_HOUR: '100' },
    });
    creator = await service.creator();
    operator = await service.creator(undefined, { operator: true });
  });
  after(() => service.close());

  const read = (id: string, query: { wait?: number } = {}) =>
    creator.client.readVersion({ params: { id }, query });
  const statusOf = async (url: string | undefined) => (await service.get(String(url))).status;

  /** Publishes in one call without an account, and waits for the report. */
  async function inOneCall(files: Files, claim?: string): Promise<AnswerOf<typeof publishArchive>> {
    const answer = await service.get(`${service.baseUrl}/api/v1/hosting/publish?wait=60`, {
      method: 'POST',
      body: zipOf(files),
      headers: claim === undefined ? {} : { 'x-service-claim': claim },
    });
    assert.equal(answer.status, 201, answer.text());
    return answer.json();
  }

  it('gives it a report, which a waiting read returns, and leaves it a preview', async () => {
    const files = { ...smallGame, 'index.html': '<script src="absent.js"></script>' };
    const { version, previewUrl } = await publishFiles(creator, files);
    const { status, reason, report } = await read(version.id, { wait: 30 });
    assert.deepEqual([status, reason], ['preview', undefined]);
    assert.ok(report, 'no report');
    assert.equal(await statusOf(previewUrl), 200);
    // A read of a checked preview does not wait.
    assert.deepEqual((await read(version.id, { wait: 30 })).report, report);
  });

  it('is finished in the response of a one-call publish, without an account too', async () => {
    const { status, report, previewUrl } = await inOneCall(smallGame);
    assert.equal(status, 'preview');
    assert.deepEqual(report?.findings, []);
    assert.equal(await statusOf(previewUrl), 200);
  });

  it('refuses a harmful version, and closes all of its preview links', async () => {
    // The scanner holds the verdict back until there is a second link.
    const linked = Promise.withResolvers<void>();
    const clamd = await startClamdServer({ until: linked.promise });
    const scanned = await startService({ environment: { CLAMD: clamd.address } });
    try {
      const maker = await scanned.creator();
      const { version, previewUrl, space } = await publishFiles(maker, badGame());
      const second = (await maker.call('POST', `${versions}/${version.id}/preview`)).json().previewUrl;
      linked.resolve();
      await scanned.settle();
      const {
        status,
        reason,
        report,
        previewUrl: shown,
      } = await maker.client.readVersion({
        params: { id: version.id },
      });
      assert.deepEqual([status, shown], ['refused', undefined]);
      assert.match(reason ?? '', /elsewhere\.example/u);
      assert.equal(report?.findings[0]?.severity, 'refuse');
      for (const url of [previewUrl, second]) assert.equal((await scanned.get(String(url))).status, 410);
      const again = await maker.call('POST', `${versions}/${version.id}/preview`);
      assert.deepEqual([again.status, again.json().code], [409, 'not_previewable']);
      const [entry] = (await maker.client.listVersions({ params: { slug: space.slug } })).versions;
      assert.deepEqual([entry?.status, entry?.reviewable, entry?.rollback], ['refused', true, false]);
    } finally {
      await scanned.close();
      await clamd.close();
    }
  });

  it('closes the page of a refused version without an account, until a better version is published', async () => {
    const { status, pageUrl, previewUrl, claimToken, space, report } = await inOneCall(badGame());
    assert.deepEqual([status, previewUrl, report?.findings[0]?.severity], ['refused', undefined, 'refuse']);
    assert.equal(await statusOf(space.url), 410);
    const page = await service.get(pageUrl);
    assert.equal(page.status, 410);
    assert.match(page.text(), /The safety check refused what it showed/u);

    const mended = await inOneCall(smallGame, claimToken);
    assert.equal(mended.status, 'preview');
    for (const url of [space.url, pageUrl, mended.previewUrl]) assert.equal(await statusOf(url), 200);

    // A refused next version leaves the earlier one in place.
    assert.equal((await inOneCall(badGame('again'), claimToken)).status, 'refused');
    assert.match((await service.get(space.url)).text(), /Moon Hopper/u);
    for (const url of [pageUrl, mended.previewUrl]) assert.equal(await statusOf(url), 200);
  });

  it('can be reviewed: an approved version is a preview again, and a declined one stays refused', async () => {
    for (const decision of ['approve', 'decline']) {
      const { version, previewUrl, space } = await publishFiles(creator, badGame(decision));
      await publishLive(service, creator, smallGame, { space: space.slug });
      assert.equal((await read(version.id)).status, 'refused');
      const asked = await creator.call('POST', `${versions}/${version.id}/review`);
      assert.equal(asked.status, 200, asked.text());
      const [open] = (await operator.call('GET', '/api/operator/reviews')).json().reviews;
      assert.deepEqual([open.id, open.preview, open.superseded], [version.id, true, false]);
      const reason = 'a test';
      const decided = await operator.call('POST', `/api/operator/reviews/${version.id}`, {
        decision,
        reason,
      });
      const approved = decision === 'approve';
      const outcome = approved ? 'preview' : 'declined';
      const status = approved ? 'preview' : 'refused';
      assert.deepEqual(decided.json(), { id: version.id, outcome, status });
      await service.settle();
      const after = await read(version.id);
      assert.deepEqual(
        [after.status, after.reason, after.review?.outcome],
        [status, approved ? undefined : reason, outcome],
      );
      assert.equal(await statusOf(previewUrl), approved ? 200 : 410);
      const live = await service.get(service.service.platform.urls.live(space.slug));
      assert.match(live.text(), /Moon Hopper/u);
    }
  });

  it('does not replace the check of a version that goes live', async () => {
    const { space, version } = await publishFiles(creator, badGame());
    await service.settle();
    await creator.call('POST', `${versions}/${version.id}/review`);
    const decision = { decision: 'approve', reason: 'as a preview' };
    await operator.call('POST', `/api/operator/reviews/${version.id}`, decision);
    const live = await publishLive(service, creator, badGame(), { space: space.slug });
    assert.equal((await read(live.version.id)).status, 'refused');
    assert.equal(await statusOf(service.service.platform.urls.live(space.slug)), 404);
  });

  it('stays queued when its space is held, so that a release is checked too', async () => {
    const idle = await startService({ role: 'serve' });
    try {
      const who = await idle.creator();
      const ops = await idle.creator(undefined, { operator: true });
      const { version, space, previewUrl } = await publishFiles(who, badGame());
      const act = (what: string) =>
        ops.call('POST', `/api/operator/spaces/${space.slug}/${what}`, { reason: 'a test' });
      assert.equal((await act('hold')).status, 200);
      assert.equal((await idle.get(String(previewUrl))).status, 410);
      const { database } = idle.service.platform;
      const jobs = await database.db
        .selectFrom('jobs')
        .select('kind')
        .where('ref', '=', version.id)
        .where('kind', '=', 'check-preview')
        .execute();
      assert.equal(jobs.length, 1);
    } finally {
      await idle.close();
    }
  });

  const onFolder =
    process.env.TEST_ENGINE === 'postgres' &&
    'the store of this run is not a folder that could be moved away';
  it('waits while the store is unavailable', { skip: onFolder }, async () => {
    const own = await startService();
    try {
      const who = await own.creator();
      const body = { fields: listing, files: fileEntries(badGame()) };
      const { version, uploads } = (await who.call('POST', versions, body)).json();
      await own.get(uploads[0].url, { method: 'PUT', body: badGame()['index.html'] });
      const blobs = join(own.environment.DATA_DIR ?? '', 'blobs');
      await rename(blobs, `${blobs}-away`);
      const finished = await who.call('POST', `${versions}/${version.id}/finish`, { preview: true });
      assert.equal(finished.status, 200, finished.text());
      const now = () => who.client.readVersion({ params: { id: version.id } });
      for (let minute = 0; minute < 10; minute++) {
        await own.settle();
        const { status, report } = await now();
        assert.deepEqual([status, report], ['preview', undefined]);
        own.clock.advance({ minutes: 1 });
      }
      await rename(`${blobs}-away`, blobs);
      own.clock.advance({ minutes: 2 });
      await own.settle();
      assert.equal((await now()).status, 'refused');
    } finally {
      await own.close();
    }
  });

  it('leaves a preview unchanged when it cannot be opened, and reports that', async () => {
    const own = await startService({ environment: { BROWSER: '/no/such/browser' } });
    try {
      const who = await own.creator();
      const { version, previewUrl } = await publishFiles(who, smallGame);
      for (let attempt = 0; attempt < 10; attempt++) {
        await own.settle();
        own.clock.advance({ minutes: 2 });
      }
      const { status, report } = await who.client.readVersion({ params: { id: version.id } });
      assert.equal(status, 'preview');
      assert.deepEqual(
        report?.findings.map(({ rule, severity }) => [rule, severity]),
        [['page-browser', 'unjudged']],
      );
      assert.equal((await own.get(String(previewUrl))).status, 200);
    } finally {
      await own.close({ allowFailedJobs: true });
    }
  });
});
