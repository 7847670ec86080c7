import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { recordJudgement } from '../versions/judgement.ts';

/** A game that the safety check refuses, because it redirects to another site. */
const badGame = (mark = '') => ({
  'index.html': `<meta http-equiv="refresh" content="0;url=https://elsewhere.example/"><p>${mark}</p>`,
});

describe('reviews', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  before(async () => {
    service = await startService({
      environment: { WAITING_CHECKS: '100', CHECKS_PER_HOUR: '1000', PUBLISHES_PER_HOUR: '1000' },
    });
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator();
  });
  after(() => service.close());

  const queue = async (query = '') => (await operator.call('GET', `/api/operator/reviews${query}`)).json();
  const decide = (id: string, decision: string, reason = `because: ${decision}`) =>
    operator.call('POST', `/api/operator/reviews/${id}`, { decision, reason });
  const ask = (id: string) => creator.call('POST', `/api/v1/hosting/versions/${id}/review`);
  const read = (id: string) => creator.client.readVersion({ params: { id } });
  const shown = async (slug: string) => service.get(service.service.platform.urls.live(slug));
  const act = (slug: string, action: string) =>
    operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: action });
  const audited = async (id: string) =>
    (await operator.call('GET', '/api/operator/audit?limit=100'))
      .json()
      .entries.filter((entry: { subject: { id: string } }) => entry.subject.id === id)
      .map(({ actor, action, reason }: Record<string, string>) => [actor, action, reason]);

  /** Publishes a version that is refused, and requests its review. */
  async function refused(space?: string, mark = '') {
    const published = await publishLive(
      service,
      creator,
      badGame(mark),
      space === undefined ? {} : { space },
    );
    const { id } = published.version;
    assert.equal((await ask(id)).status, 200);
    return { id, slug: published.space.slug };
  }

  it('are listed oldest first, with the facts that the decision needs', async () => {
    const first = await refused();
    const second = await refused();
    const { reviews } = await queue('?limit=100');
    const mine = reviews.filter(({ id }: { id: string }) => id === first.id || id === second.id);
    assert.deepEqual(
      mine.map(({ id }: { id: string }) => id),
      [first.id, second.id],
    );
    const { report, created_at, requested_at, reason, bytes, ...review } = mine[0];
    assert.deepEqual(review, {
      id: first.id,
      number: 1,
      space: {
        slug: first.slug,
        title: 'Moon Hopper',
        state: 'listed',
        owner: creator.handle,
        service_url: `${service.baseUrl}/s/${first.slug}`,
      },
      status: 'refused',
      files: 1,
      preview: false,
      superseded: false,
    });
    assert.ok(report.findings.some(({ severity }: { severity: string }) => severity === 'refuse'));
    assert.ok(reason && bytes > 0 && created_at <= requested_at);
    for (const id of [first.id, second.id]) assert.equal((await decide(id, 'decline')).status, 200);
  });

  it('are listed in pages, each once', async () => {
    const asked = [];
    for (let count = 0; count < 5; count++) asked.push((await refused()).id);
    const found: string[] = [];
    let cursor = '';
    do {
      const { reviews, next } = await queue(`?limit=2${cursor}`);
      assert.ok(reviews.length <= 2);
      found.push(...reviews.map(({ id }: { id: string }) => id));
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    assert.deepEqual(found, asked);
    for (const id of asked) await decide(id, 'decline');
    assert.deepEqual(await queue(), { reviews: [], next: null });
  });

  it('make an approved version live at once, and wake requests that wait for it', async () => {
    const { id, slug } = await refused();
    assert.equal((await shown(slug)).status, 404);
    const answer = await decide(id, 'approve', 'The redirect is a joke.');
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(answer.json(), { id, outcome: 'live', status: 'live' });
    assert.equal((await shown(slug)).status, 200);
    const version = await read(id);
    assert.equal(version.status, 'live');
    assert.equal(version.reason, undefined);
    assert.ok(version.liveAt && version.reviewRequested);
    assert.equal(version.review?.outcome, 'live');
    const { versions } = await creator.client.listVersions({ params: { slug } });
    assert.deepEqual(
      versions.map(({ live, status }) => [live, status]),
      [[true, 'live']],
    );
    assert.deepEqual(await audited(id), [['ops', 'approve', 'The redirect is a joke.']]);
    assert.deepEqual(codeOf(await decide(id, 'decline')), [409, 'conflict']);
    assert.deepEqual(codeOf(await decide(id, 'approve')), [409, 'conflict']);
  });

  for (const [action, undo, code] of [
    ['hold', 'release', 'held'],
    ['remove', 'restore', 'removed'],
  ] as const) {
    it(`are refused while the space is ${code}`, async () => {
      const { space, version } = await publishLive(service, creator, badGame());
      await act(space.slug, action);
      const refusal = await ask(version.id);
      assert.deepEqual([refusal.status, refusal.json().code], [409, code]);
      assert.equal((await read(version.id)).reviewRequested, false);
      await act(space.slug, undo);
      assert.equal((await ask(version.id)).status, 200);
      await act(space.slug, action);
      assert.equal((await ask(version.id)).status, 200, 'answers when it was asked for');
      await decide(version.id, 'decline');
    });
  }

  it('apply the listing fields of an approved version', async () => {
    const { space } = await publishLive(service, creator);
    const fields = { title: 'Renamed' };
    const { version } = await publishLive(service, creator, badGame(), { space: space.slug, fields });
    await ask(version.id);
    await decide(version.id, 'approve');
    const read = await creator.call('GET', `/api/spaces/${space.slug}`);
    assert.deepEqual([read.json().title, read.json().live_version], ['Renamed', 2]);
  });

  it('keep the status of a declined version, with the reason, and cannot be requested again', async () => {
    const { id, slug } = await refused();
    const answer = await decide(id, 'decline', 'It leads to a shop.');
    assert.deepEqual(answer.json(), { id, outcome: 'declined', status: 'refused' });
    const version = await read(id);
    assert.deepEqual([version.status, version.reason], ['refused', 'It leads to a shop.']);
    assert.equal((await shown(slug)).status, 404);
    assert.equal((await ask(id)).status, 200, 'answers when it was asked for');
    assert.equal((await queue()).reviews.length, 0);
    assert.deepEqual(await audited(id), [['ops', 'decline', 'It leads to a shop.']]);
    const { review } = await read(id);
    assert.deepEqual(
      [review?.outcome, typeof review?.requestedAt, typeof review?.decidedAt],
      ['declined', 'string', 'string'],
    );
  });

  it('leave an approved version as it is when a newer one is live', async () => {
    const { id, slug } = await refused();
    await publishLive(service, creator, smallGame, { space: slug });
    const [waiting] = (await queue()).reviews;
    assert.deepEqual([waiting.id, waiting.superseded], [id, true]);
    const answer = await decide(id, 'approve');
    assert.deepEqual(answer.json(), { id, outcome: 'superseded', status: 'refused' });
    assert.equal((await read(id)).review?.outcome, 'superseded');
    assert.equal((await read(id)).status, 'refused');
    assert.match((await shown(slug)).text(), /Moon Hopper/u);
    assert.deepEqual(codeOf(await decide(id, 'approve')), [409, 'conflict']);
  });

  it('are decided once when several operators decide at the same moment', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, slug } = await refused();
      const answers = await Promise.all(
        ['approve', 'decline', 'approve', 'decline'].map((decision) => decide(id, decision)),
      );
      const done = answers.filter(({ status }) => status === 200);
      assert.equal(done.length, 1, answers.map((answer) => answer.text()).join('\n'));
      assert.ok(answers.every(({ status }) => status === 200 || status === 409));
      const live = done[0]?.json().outcome === 'live';
      assert.equal((await shown(slug)).status, live ? 200 : 404);
      assert.equal((await audited(id)).length, 1);
    }
  });

  it('leave one live version when a newer one passes at the same moment', async () => {
    const idle = await startService({ role: 'serve' });
    try {
      const who = await idle.creator();
      const ops = await idle.creator('ops', { operator: true });
      const { platform } = idle.service;
      for (let round = 0; round < 4; round++) {
        const older = await publishFiles(who, badGame(), {}, { live: true });
        const judge = (id: string, verdict: 'pass' | 'refused') =>
          platform.database.transaction((tx) =>
            recordJudgement(tx, givenId('ver', id), { verdict, reason: 'no', report: { findings: [] } }),
          );
        await judge(older.version.id, 'refused');
        await who.call('POST', `/api/v1/hosting/versions/${older.version.id}/review`);
        const { slug } = older.space;
        const newer = await publishFiles(who, smallGame, { space: slug }, { live: true });
        const [answer] = await Promise.all([
          ops.call('POST', `/api/operator/reviews/${older.version.id}`, { decision: 'approve', reason: 'r' }),
          judge(newer.version.id, 'pass'),
        ]);
        assert.ok(['live', 'superseded'].includes(answer.json().outcome), answer.text());
        const { versions } = await who.client.listVersions({ params: { slug } });
        assert.deepEqual(
          versions.filter(({ live }) => live).map(({ number }) => number),
          [2],
        );
        assert.match((await idle.get(platform.urls.live(slug))).text(), /Moon Hopper/u);
      }
    } finally {
      await idle.close();
    }
  });

  it('stay open while the space is off the service, and can be declined then', async () => {
    const { id, slug } = await refused();
    for (const [action, code, undo] of [
      ['hold', 'held', 'release'],
      ['hide', 'space_unavailable', 'restore'],
      ['remove', 'removed', 'restore'],
    ] as const) {
      assert.equal((await act(slug, action)).status, 200);
      assert.deepEqual(codeOf(await decide(id, 'approve')), [409, code]);
      assert.equal((await act(slug, undo)).status, 200);
    }
    assert.deepEqual(await audited(id), []);
    await act(slug, 'remove');
    assert.equal((await decide(id, 'decline')).status, 200);
  });

  it('are not found for versions without a request', async () => {
    const { version } = await publishLive(service, creator, badGame());
    for (const id of [version.id, 'ver_nothing', 'x'.repeat(200)]) {
      assert.deepEqual(codeOf(await decide(id, 'approve')), [404, 'not_found']);
      const files = await operator.call('GET', `/api/operator/reviews/${id}/files`);
      assert.deepEqual(codeOf(files), [404, 'not_found']);
      const link = await operator.call('POST', `/api/operator/reviews/${id}/preview`);
      assert.deepEqual(codeOf(link), [404, 'not_found']);
    }
    assert.deepEqual(codeOf(await decide(version.id, 'maybe')), [422, 'invalid']);
  });

  it('show a refused version to the operator for an hour, and to nobody else', async () => {
    const { id, slug } = await refused(undefined, 'look here');
    const preview = await creator.call('POST', `/api/v1/hosting/versions/${id}/preview`);
    assert.equal(preview.json().code, 'not_previewable');
    const files = await operator.call('GET', `/api/operator/reviews/${id}/files`);
    assert.ok(files.json().files.length > 0, files.text());
    const link = await operator.call('POST', `/api/operator/reviews/${id}/preview`);
    assert.equal(link.status, 200, link.text());
    const { preview_url: url } = link.json();
    assert.match(url, /^http:\/\/r--[0-9a-z]{26}\.temp\.localhost:\d+\/$/u);
    const page = await service.get(url);
    assert.equal(page.status, 200);
    assert.match(page.text(), /look here/u);
    assert.equal(page.headers['x-robots-tag'], 'noindex');
    assert.match(String(page.headers['cache-control']), /no-store/u);
    assert.equal((await read(id)).previewUrl, undefined);
    assert.equal((await service.get(url.replace('r--', 'p--'))).status, 404);
    await act(slug, 'remove');
    assert.equal((await service.get(url)).status, 200, 'also while the space is off the service');
    service.clock.advance({ hours: 1 });
    assert.equal((await service.get(url)).status, 410);
    service.clock.advance({ hours: 25 });
    await service.service.sweep();
    assert.equal((await service.get(url)).status, 404);
    await decide(id, 'decline');
  });
});
