import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf, hostingCodeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('spaces managed by operators', () => {
  let pages: PageServer;
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address, CHECKS_PER_HOUR: '1000' } });
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator('maker');
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  const act = (slug: string, action: string, reason = `why ${action}`) =>
    operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason });
  const spaces = async (query: string) =>
    (await operator.call('GET', `/api/operator/spaces${query}`))
      .json()
      .spaces.map(({ slug }: { slug: string }) => slug);
  const hosting = (method: string, path: string, body?: unknown) =>
    creator.call(method, `/api/v1/hosting/${path}`, body);

  /** Returns a version with all files uploaded, ready to be finished. */
  async function uploaded(slug: string): Promise<string> {
    const content = `<title>${Math.random()}</title>`;
    const files = fileEntries({ 'index.html': content });
    const created = await hosting('POST', 'versions', { space: slug, files });
    assert.equal(created.status, 201, created.text());
    for (const { url } of created.json().uploads) await putFile(service, url, content);
    return created.json().version.id;
  }

  for (const [action, state, undo, code] of [
    ['hold', 'held', 'release', 'held'],
    ['remove', 'removed', 'restore', 'removed'],
  ] as const) {
    it(`answer ${code} to publishes while ${state}, and are as before after ${undo}`, async () => {
      const { space, version } = await publishLive(service, creator);
      const { slug } = space;
      const older = await publishFiles(creator, { 'index.html': 'preview' }, { space: slug });
      const waiting = await uploaded(slug);
      const done = await act(slug, action);
      assert.equal(done.status, 200, done.text());
      assert.equal(done.json().state, state);
      assert.equal((await service.get(service.service.platform.urls.live(slug))).status, 410);
      assert.equal((await service.get(older.previewUrl ?? '')).status, 410);
      const shown = await service.anonymous.call('GET', `/api/gallery/${slug}`);
      assert.deepEqual(codeOf(shown), [404, 'not_found']);

      const files = fileEntries(smallGame);
      assert.deepEqual(hostingCodeOf(await hosting('POST', 'versions', { space: slug, files })), [409, code]);
      const finish = await hosting('POST', `versions/${waiting}/finish`, { preview: false });
      assert.deepEqual(hostingCodeOf(finish), [409, code]);
      const rollback = await hosting('POST', `spaces/${slug}/rollback`, { version: version.number });
      assert.deepEqual(hostingCodeOf(rollback), [409, code]);
      const preview = await hosting('POST', `versions/${version.id}/preview`);
      assert.deepEqual(hostingCodeOf(preview), [409, 'space_unavailable']);
      const change = await creator.call('PATCH', `/api/spaces/${slug}`, { title: 'Other' });
      assert.deepEqual(codeOf(change), [409, code]);
      assert.equal((await creator.call('GET', `/api/spaces/${slug}`)).json().state, state);

      assert.equal((await act(slug, undo)).json().state, 'listed');
      assert.equal((await service.get(service.service.platform.urls.live(slug))).status, 200);
      assert.equal((await service.get(older.previewUrl ?? '')).status, 200);
      assert.equal((await hosting('POST', `versions/${version.id}/preview`)).status, 200);
      assert.equal((await hosting('POST', `versions/${waiting}/finish`, { preview: false })).status, 200);
      await service.settle();
      assert.equal((await creator.client.readVersion({ params: { id: waiting } })).status, 'live');
    });
  }

  it('are not shown while hidden, and versions published then are not checked', async () => {
    const { space, version } = await publishLive(service, creator);
    const waiting = await uploaded(space.slug);
    assert.equal((await act(space.slug, 'hide')).json().state, 'hidden');
    assert.equal((await service.get(service.service.platform.urls.live(space.slug))).status, 410);
    const preview = await hosting('POST', `versions/${version.id}/preview`);
    assert.deepEqual(hostingCodeOf(preview), [409, 'space_unavailable']);
    const finish = await hosting('POST', `versions/${waiting}/finish`, { preview: false });
    assert.equal(finish.json().status, 'checking');
    const read = await creator.client.readVersion({ params: { id: waiting }, query: { wait: 30 } });
    assert.deepEqual([read.status, read.stopped], ['checking', true]);
    assert.match(read.reason ?? '', /hidden/u);
    assert.equal((await act(space.slug, 'restore')).json().state, 'listed');
    assert.equal((await service.get(service.service.platform.urls.live(space.slug))).status, 200);
  });

  it('have their checks ended when they are taken off, and waiting requests are answered', async () => {
    const idle = await startService({ role: 'serve', environment: { WAITING_CHECKS: '10' } });
    try {
      const who = await idle.creator();
      const ops = await idle.creator('ops', { operator: true });
      for (const [action, word] of [
        ['hold', /held/u],
        ['hide', /hidden/u],
        ['remove', /removed/u],
      ] as const) {
        const { version, space } = await publishFiles(who, smallGame, {}, { live: true });
        const waiting = who.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
        await ops.call('POST', `/api/operator/spaces/${space.slug}/${action}`, { reason: 'r' });
        const stopped = await waiting;
        assert.deepEqual([stopped.status, stopped.stopped], ['checking', true]);
        assert.match(stopped.reason ?? '', word);
      }
      const { jobs } = (await ops.call('GET', '/api/operator/health')).json();
      assert.equal(
        jobs.some(({ kind }: { kind: string }) => kind === 'check'),
        false,
      );
    } finally {
      await idle.close();
    }
  });

  it('are changed once by the same action, and only by actions that apply', async () => {
    const { space } = await publishLive(service, creator);
    const { slug } = space;
    assert.deepEqual(codeOf(await act(slug, 'release')), [409, 'conflict']);
    assert.deepEqual(codeOf(await act(slug, 'restore')), [409, 'conflict']);
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(slug, 'remove')));
    assert.ok(answers.every(({ status }) => status === 200));
    for (const action of ['hold', 'release', 'hide'])
      assert.deepEqual(codeOf(await act(slug, action)), [409, 'conflict'], action);
    for (const action of ['hold', 'release', 'hide', 'remove', 'restore'])
      assert.deepEqual(codeOf(await act('nowhere', action)), [404, 'not_found']);
    assert.deepEqual(codeOf(await act(slug, 'delete')), [404, 'not_found']);
    const { entries } = (await operator.call('GET', '/api/operator/audit')).json();
    const mine = entries.filter(({ subject }: { subject: { name: string } }) => subject.name === slug);
    assert.deepEqual(
      mine.map(({ actor, action, reason }: Record<string, string>) => [actor, action, reason]),
      [['ops', 'remove', 'why remove']],
    );
  });

  it('are taken off and brought back while unlisted too', async () => {
    const anonymous = await service.anonymous.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files: fileEntries(smallGame),
    });
    const { version, uploads, claimToken, space } = anonymous.json();
    const contents = new Map(fileEntries(smallGame).map((file) => [file.sha256, smallGame[file.path] ?? '']));
    for (const { sha256, url } of uploads) await putFile(service, url, contents.get(sha256) ?? '');
    const finish = (claim: string) =>
      service.anonymous.call('POST', `/api/v1/hosting/versions/${version.id}/finish`, { claim });
    assert.equal((await finish(claimToken)).status, 200);
    assert.equal((await service.get(space.url)).status, 200);
    assert.equal((await act(space.slug, 'remove')).status, 200);
    assert.equal((await service.get(space.url)).status, 410);
    assert.equal((await act(space.slug, 'restore')).json().state, 'unlisted');
    assert.equal((await service.get(space.url)).status, 200);
  });

  it('are found by slug, title, owner and state, in pages', async () => {
    const finder = await service.creator('finder_1');
    const made: string[] = [];
    for (const title of ['Zürich 100%', 'Other zurich', 'Third']) {
      const fields = { ...listing, devices: ['desktop' as const], title };
      made.unshift((await publishFiles(finder, smallGame, { fields })).space.slug);
    }
    assert.deepEqual(await spaces('?q=FINDER_1'), made);
    assert.deepEqual(await spaces('?q=finderx1'), []);
    assert.deepEqual(await spaces('?q=z%C3%BCrich'), made.slice(1));
    assert.deepEqual(await spaces('?q=100%25'), made.slice(2));
    assert.deepEqual(await spaces(`?q=${made[0]}`), made.slice(0, 1));
    const found: string[] = [];
    let cursor = '';
    do {
      const { spaces: page, next } = (
        await operator.call('GET', `/api/operator/spaces?q=finder_1&limit=2${cursor}`)
      ).json();
      found.push(...page.map(({ slug }: { slug: string }) => slug));
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    assert.deepEqual(found, made);
    await act(made[0] ?? '', 'hold');
    assert.deepEqual(await spaces('?state=held'), [made[0]]);
    assert.deepEqual(await spaces('?q=finder_1&state=listed'), made.slice(1));
    const lost = await operator.call('GET', '/api/operator/spaces?state=lost');
    assert.deepEqual([...codeOf(lost), lost.json().issues[0].path], [422, 'invalid', 'state']);
  });

  it('are listed without an owner, and claimed later', async () => {
    const url = pages.put('/found', proofTag(creator.handle));
    const list = (body: object) => operator.call('POST', '/api/operator/spaces', body);
    const answer = await list({ ...listing, url, title: 'Found Page' });
    assert.equal(answer.status, 201, answer.text());
    const { slug, owner, claimed, state } = answer.json();
    assert.deepEqual([slug, owner, claimed, state], ['found-page', null, false, 'listed']);
    assert.deepEqual(codeOf(await list({ ...listing, url })), [409, 'duplicate']);
    assert.deepEqual(codeOf(await list({ ...listing, url: 'http://10.0.0.1/' })), [422, 'invalid']);
    assert.deepEqual(codeOf(await list({ url })), [422, 'invalid']);
    const missing = pages.put('/missing', { status: 404 });
    assert.deepEqual(codeOf(await list({ ...listing, url: missing })), [422, 'unreachable']);
    const framed = pages.put('/framed', { headers: { 'x-frame-options': 'DENY' } });
    assert.deepEqual(codeOf(await list({ ...listing, url: framed })), [422, 'unframeable']);
    const verified = await creator.call('POST', '/api/spaces/verify', { slug });
    assert.deepEqual([verified.status, verified.json().owner], [200, creator.handle]);
  });

  it('are refused when their host is blocked', async () => {
    const url = pages.put('/blocked', '<title>Blocked</title>');
    const call = (method: string, body?: object) => operator.call(method, '/api/operator/blocks', body);
    const host = pages.address;
    const blocked = await call('POST', { host, reason: 'spam' });
    assert.deepEqual([blocked.status, blocked.json()], [200, { host, blocked: true }]);
    for (const who of [creator, operator])
      assert.deepEqual(codeOf(await who.call('POST', '/api/spaces', { ...listing, url })), [403, 'blocked']);
    const ownerless = await operator.call('POST', '/api/operator/spaces', { ...listing, url });
    assert.deepEqual(codeOf(ownerless), [403, 'blocked']);
    await call('POST', { host: 'Bücher.example', reason: 'spam' });
    await call('POST', { host: 'https://aaa.example/page', reason: 'spam' });
    const names: string[] = [];
    let cursor = '';
    do {
      const { blocks, next } = (await operator.call('GET', `/api/operator/blocks?limit=1${cursor}`)).json();
      names.push(...blocks.map((block: { host: string }) => block.host));
      cursor = next === null ? '' : `&cursor=${encodeURIComponent(next)}`;
    } while (cursor !== '');
    assert.deepEqual(names.sort(), [host, 'https://aaa.example/page', 'xn--bcher-kva.example'].sort());
    const unblocked = await call('DELETE', { host, reason: 'a mistake' });
    assert.deepEqual([unblocked.status, unblocked.json()], [200, { host, blocked: false }]);
    assert.equal((await creator.call('POST', '/api/spaces', { ...listing, url })).status, 201);
    assert.deepEqual(codeOf(await call('POST', { host: 'a b', reason: 'r' })), [422, 'invalid']);
    assert.deepEqual(codeOf(await call('DELETE', { host: 'a b', reason: 'r' })), [422, 'invalid']);
    const { entries } = (await operator.call('GET', '/api/operator/audit')).json();
    const about = entries.filter(({ subject }: { subject: { id: string } }) => subject.id === host);
    assert.deepEqual(
      about.map(({ action, reason, subject }: Record<string, unknown>) => [action, reason, subject]),
      [
        ['unblock', 'a mistake', { kind: 'host', id: host, name: host }],
        ['block', 'spam', { kind: 'host', id: host, name: host }],
      ],
    );
  });
});
