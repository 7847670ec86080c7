import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('reports of players', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { TRUST_PROXY: 'true', REPORTS_PER_HOUR: '6' } });
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator();
    slug = (await publishLive(service, creator)).space.slug;
  });
  after(() => service.close());

  let nextNetwork = 1;
  /** Sends each report from a network of its own, unless headers say otherwise. */
  const report = (
    about: string,
    body: unknown = { reason: 'malware', message: 'It asks for my wallet.' },
    headers: Record<string, string> = { 'x-forwarded-for': `203.0.113.${nextNetwork++}` },
  ) => service.anonymous.call('POST', `/api/gallery/${about}/report`, body, headers);
  const list = async (query = '') => (await operator.call('GET', `/api/operator/reports${query}`)).json();
  const decide = (id: string, action: string, note = `noted: ${action}`) =>
    operator.call('POST', `/api/operator/reports/${id}`, { action, note });
  const closeAll = async () => {
    for (const { id } of (await list('?state=open&limit=100')).reports) await decide(id, 'dismiss');
  };

  it('are stored for operators, without data about the reporter', async () => {
    const sent = await report(slug);
    assert.equal(sent.status, 202, sent.text());
    assert.deepEqual(Object.keys(sent.json()), ['reported_at']);
    const [{ id, reported_at, ...kept }] = (await list()).reports;
    assert.equal(reported_at, sent.json().reported_at);
    assert.deepEqual(kept, {
      space: {
        slug,
        title: 'Moon Hopper',
        state: 'listed',
        owner: creator.handle,
        service_url: `${service.baseUrl}/s/${slug}`,
      },
      content: null,
      reason: 'malware',
      message: 'It asks for my wallet.',
      state: 'open',
      note: null,
      decided_by: null,
      decided_at: null,
    });
    const { db } = service.service.platform.database;
    const rows = await db.selectFrom('reports').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(rows), /203\.0\.113/u);
    const shown = await service.anonymous.call('GET', `/api/gallery/${slug}`);
    assert.doesNotMatch(shown.text(), /wallet|malware/u);
    assert.doesNotMatch((await creator.call('GET', `/api/spaces/${slug}`)).text(), /wallet|malware/u);
    await decide(id, 'dismiss');
  });

  it('need a reason from the list, and a message of limited length', async () => {
    for (const [body, path] of [
      [{}, 'reason'],
      [{ reason: 'boring' }, 'reason'],
      [{ reason: 'spam', message: 'x'.repeat(1_001) }, 'message'],
      [{ reason: 'spam', message: 7 }, 'message'],
      [{ reason: 'spam', email: 'me@example.org' }, 'email'],
      ['{', ''],
    ] as const) {
      const answer = await report(slug, body);
      assert.deepEqual(codeOf(answer), [422, 'invalid'], answer.text());
      assert.equal(answer.json().issues[0].path, path);
    }
    assert.equal((await list()).reports.filter(isOpen).length, 0);
    assert.equal((await report(slug, { reason: 'other', message: '💜'.repeat(1_000) })).status, 202);
    assert.equal((await report(slug, { reason: 'other' })).status, 202);
    await closeAll();
  });

  it('are accepted for spaces that can be opened, and reveal nothing about others', async () => {
    const draft = await publishFiles(creator, smallGame);
    const held = await publishLive(service, creator);
    await operator.call('POST', `/api/operator/spaces/${held.space.slug}/hold`, { reason: 'r' });
    const answers = [];
    for (const about of ['nowhere', draft.space.slug, held.space.slug]) {
      const answer = await report(about);
      assert.deepEqual(codeOf(answer), [404, 'not_found']);
      answers.push(answer.json().message.replaceAll(about, '…'));
    }
    assert.equal(new Set(answers).size, 1);
  });

  it("are refused from another site's page", async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://elsewhere.example' },
    ];
    for (const headers of foreign) {
      assert.deepEqual(codeOf(await report(slug, undefined, headers)), [403, 'cross_site']);
    }
    assert.equal((await report(slug, undefined, { 'sec-fetch-site': 'same-origin' })).status, 202);
    await closeAll();
  });

  it('are limited by network, exactly also when many come at once', async () => {
    const from = (address: string) => report(slug, undefined, { 'x-forwarded-for': address });
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => from(`2001:db8:1:2::${index + 1}`)),
    );
    assert.equal(answers.filter(({ status }) => status === 202).length, 6);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 3);
    for (const answer of refused) {
      assert.deepEqual(codeOf(answer), [429, 'rate_limited']);
      assert.ok(Number(answer.headers['retry-after']) > 0);
    }
    assert.equal((await from('2001:db8:1:3::1')).status, 202);
    service.clock.advance({ hours: 1 });
    assert.equal((await from('2001:db8:1:2::1')).status, 202);
    await closeAll();
  });

  it('are listed open ones first, newest first, in pages', async () => {
    const sent: string[] = [];
    for (const mark of ['a', 'b', 'c', 'd']) {
      service.clock.advance({ seconds: 1 });
      await report(slug, { reason: 'spam', message: `order ${mark}` });
      sent.push(mark);
    }
    const open = (await list('?state=open')).reports;
    await decide(open[0].id, 'resolve');
    const found: string[] = [];
    let cursor = '';
    do {
      const { reports, next } = await list(`?limit=3${cursor}`);
      found.push(...reports.map(({ message }: { message: string }) => message));
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    assert.deepEqual(found.slice(0, 4), ['order c', 'order b', 'order a', 'order d']);
    assert.equal(new Set(found.filter((message) => message.startsWith('order'))).size, 4);
    assert.deepEqual(
      (await list('?state=open')).reports.map(({ message }: { message: string }) => message),
      ['order c', 'order b', 'order a'],
    );
    const decided: ReportState[] = (await list('?state=decided')).reports;
    assert.ok(decided.length > 0 && !decided.some(isOpen));
    await closeAll();
  });

  it('are decided once, and the audit log says by whom and why', async () => {
    await report(slug);
    const [{ id }] = (await list('?state=open')).reports;
    const answers = await Promise.all(
      ['dismiss', 'resolve', 'dismiss', 'resolve'].map((action) => decide(id, action)),
    );
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      assert.deepEqual(codeOf(answer), [409, 'conflict']);
    const decided = done[0]?.json();
    assert.equal(decided.decided_by, 'ops');
    assert.ok(decided.decided_at >= decided.reported_at);
    const action = decided.state === 'dismissed' ? 'dismiss' : 'resolve';
    assert.equal(decided.note, `noted: ${action}`);
    const { entries } = (await operator.call('GET', '/api/operator/audit?limit=1')).json();
    const [{ at: _, id: __, ...entry }] = entries;
    assert.deepEqual(entry, {
      actor: 'ops',
      action,
      subject: { kind: 'report', id, name: slug },
      reason: decided.note,
    });
    assert.deepEqual(codeOf(await decide('rep_nothing', 'dismiss')), [404, 'not_found']);
    assert.deepEqual(codeOf(await decide(id, 'ponder')), [422, 'invalid']);
    assert.deepEqual(codeOf(await decide(id, 'dismiss', '')), [422, 'invalid']);
  });
});

describe('an operator’s decision on a report', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { REPORTS_PER_HOUR: '100' } });
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator();
  });
  after(() => service.close());

  async function reported(...messages: string[]): Promise<{ slug: string; ids: string[] }> {
    const { space } = await publishLive(service, creator);
    for (const message of messages) {
      service.clock.advance({ seconds: 1 });
      const body = { reason: 'phishing', message };
      assert.equal(
        (await service.anonymous.call('POST', `/api/gallery/${space.slug}/report`, body)).status,
        202,
      );
    }
    const { reports } = (await operator.call('GET', '/api/operator/reports?state=open')).json();
    const ids = reports
      .filter((one: { space: { slug: string } }) => one.space.slug === space.slug)
      .map(({ id }: { id: string }) => id);
    return { slug: space.slug, ids };
  }
  const readCase = async (id: string) => (await operator.call('GET', `/api/operator/reports/${id}`)).json();
  const decide = (id: string, action: string) =>
    operator.call('POST', `/api/operator/reports/${id}`, { action, note: `because: ${action}` });
  const stateOf = async (slug: string) => (await creator.call('GET', `/api/spaces/${slug}`)).json().state;

  it('is made with the space, its number of reports and earlier actions in view', async () => {
    const { slug, ids } = await reported('first', 'second');
    for (const action of ['hold', 'release']) {
      service.clock.advance({ seconds: 1 });
      await operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: `once: ${action}` });
    }
    const found = await readCase(String(ids[0]));
    assert.equal(found.report.message, 'second');
    assert.deepEqual([found.open_reports, found.all_reports], [2, 2]);
    assert.match(found.play_url, new RegExp(`^http://${slug}\\.play\\.`, 'u'));
    assert.equal(found.picture, null);
    assert.deepEqual(
      found.history.map(({ at: _, ...event }: { at: string }) => event),
      [
        { what: 'release', by: 'ops', text: 'once: release' },
        { what: 'hold', by: 'ops', text: 'once: hold' },
        { what: 'reported', by: null, text: 'phishing: first' },
      ],
    );
    assert.deepEqual(codeOf(await operator.call('GET', '/api/operator/reports/rep_nothing')), [
      404,
      'not_found',
    ]);
    for (const id of ids) await decide(id, 'dismiss');
  });

  for (const [action, state] of [
    ['hold', 'held'],
    ['hide', 'hidden'],
    ['remove', 'removed'],
  ] as const) {
    it(`applies to the space and closes all of its reports at once: ${action}`, async () => {
      const { slug, ids } = await reported('first', 'second');
      const answer = await decide(String(ids[0]), action);
      assert.equal(answer.status, 200, answer.text());
      assert.deepEqual([answer.json().state, answer.json().space.state], ['resolved', state]);
      assert.equal(await stateOf(slug), state);
      const other = (await readCase(String(ids[1]))).report;
      assert.deepEqual(
        [other.state, other.note, other.decided_by],
        ['resolved', `because: ${action}`, 'ops'],
      );
      const { entries } = (await operator.call('GET', '/api/operator/audit?limit=3')).json();
      assert.deepEqual(
        entries
          .map((one: { action: string; subject: { kind: string }; reason: string }) =>
            [one.action, one.subject.kind, one.reason].join(' '),
          )
          .sort(),
        [
          `${action} space because: ${action}`,
          `resolve report because: ${action}`,
          `resolve report because: ${action}`,
        ],
      );
      assert.deepEqual(codeOf(await decide(String(ids[1]), 'hold')), [409, 'conflict']);
      assert.equal(await stateOf(slug), state);
    });
  }

  it('changes nothing about the space when the report was decided meanwhile', async () => {
    const { slug, ids } = await reported('only');
    const answers = await Promise.all(
      ['dismiss', 'hide', 'remove'].map((action) => decide(String(ids[0]), action)),
    );
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    const state = { dismissed: 'listed' }[String(done[0]?.json().state)] ?? done[0]?.json().space.state;
    assert.equal(await stateOf(slug), state);
  });
});

interface ReportState {
  readonly state: string;
}

function isOpen({ state }: ReportState): boolean {
  return state === 'open';
}
