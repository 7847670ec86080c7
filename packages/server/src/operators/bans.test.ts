import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf, hostingCodeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';

describe('accounts managed by operators', () => {
  let service: TestService;
  let operator: Persona;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000' } });
    operator = await service.creator('ops', { operator: true });
  });
  after(() => service.close());

  const change = (handle: string, action: 'ban' | 'unban', reason = `why ${action}`) =>
    operator.call('POST', `/api/operator/accounts/${handle}/${action}`, { reason });
  const create = (who: Pick<Persona, 'call'>, space?: string) =>
    who.call('POST', '/api/v1/hosting/versions', {
      ...(space === undefined ? { fields: listing } : { space }),
      files: fileEntries(smallGame),
    });

  it('are found by handle, name and e-mail address, in pages', async () => {
    const made: string[] = [];
    for (const handle of ['seek_a', 'seek_b', 'seek_c']) {
      service.clock.advance({ seconds: 1 });
      await service.creator(handle);
      made.unshift(handle);
    }
    const find = async (query: string) =>
      (await operator.call('GET', `/api/operator/accounts${query}`)).json();
    const handles = async (query: string) =>
      (await find(query)).accounts.map(({ handle }: { handle: string }) => handle);
    assert.deepEqual(await handles('?q=SEEK_'), made);
    assert.deepEqual(await handles('?q=seek_b%40example.org'), ['seek_b']);
    assert.deepEqual(await handles('?q=seekxb'), []);
    const first = await find('?q=seek_&limit=2');
    const second = await find(`?q=seek_&limit=2&cursor=${first.next}`);
    assert.deepEqual(
      [...first.accounts, ...second.accounts].map(({ handle }) => handle),
      made,
    );
    assert.equal(second.next, null);
    const { created_at, ...account } = second.accounts[0];
    assert.ok(Date.parse(created_at) > 0);
    assert.deepEqual(account, {
      handle: 'seek_a',
      name: 'seek_a',
      email: 'seek_a@example.org',
      operator: false,
      banned_at: null,
      spaces: 0,
    });
    await change('seek_b', 'ban');
    assert.deepEqual(await handles('?q=seek_&banned=true'), ['seek_b']);
    assert.deepEqual(await handles('?q=seek_&banned=false'), ['seek_c', 'seek_a']);
    const nobody = await signUp(service);
    const [{ handle, email }] = (await find(`?q=${nobody.email}`)).accounts;
    assert.deepEqual([handle, email], [null, nobody.email]);
  });

  it('are found by a name with capitals, as it is spelled or in other cases', async () => {
    await signUp(service, { name: 'Ülkü Mehmet', handle: 'capital_name' });
    for (const typed of ['Ülkü', 'Mehmet', 'mehmet', 'MEHMET']) {
      const path = `/api/operator/accounts?q=${encodeURIComponent(typed)}`;
      const { accounts } = (await operator.call('GET', path)).json();
      assert.deepEqual(
        accounts.map((account: { handle: string }) => account.handle),
        ['capital_name'],
        typed,
      );
    }
  });

  it('cannot publish, list, claim or read while banned', async () => {
    const creator = await service.creator('badger');
    const { space, version } = await publishLive(service, creator);
    const next = await create(creator, space.slug);
    const anonymous = await create(service.anonymous);
    const { claimToken } = anonymous.json();
    const banned = await change('@Badger', 'ban');
    assert.equal(banned.status, 200, banned.text());
    assert.ok(banned.json().banned_at);

    assert.deepEqual(hostingCodeOf(await create(creator)), [403, 'forbidden']);
    assert.deepEqual(hostingCodeOf(await create(creator, space.slug)), [403, 'forbidden']);
    const versions = '/api/v1/hosting/versions';
    for (const { url, sha256 } of next.json().uploads) {
      const file = fileEntries(smallGame).find((entry) => entry.sha256 === sha256);
      await putFile(service, url, smallGame[file?.path ?? ''] ?? '');
    }
    for (const preview of [true, false]) {
      const finish = await creator.call('POST', `${versions}/${next.json().version.id}/finish`, { preview });
      assert.deepEqual(hostingCodeOf(finish), [403, 'forbidden']);
    }
    const rollback = await creator.call('POST', `/api/v1/hosting/spaces/${space.slug}/rollback`, {
      version: 1,
    });
    assert.deepEqual(hostingCodeOf(rollback), [403, 'forbidden']);
    for (const action of ['preview', 'review']) {
      const answer = await creator.call('POST', `${versions}/${version.id}/${action}`);
      assert.deepEqual(hostingCodeOf(answer), [403, 'forbidden'], action);
    }
    const claim = await creator.call('POST', versions, {
      claim: claimToken,
      files: fileEntries(smallGame),
    });
    assert.deepEqual(hostingCodeOf(claim), [403, 'claim_banned']);
    const url = 'https://game.example.org/';
    assert.deepEqual(codeOf(await creator.call('POST', '/api/spaces', { ...listing, url })), [
      403,
      'forbidden',
    ]);
    const rename = await creator.call('PATCH', `/api/spaces/${space.slug}`, { title: 'Other' });
    assert.deepEqual(codeOf(rename), [403, 'forbidden']);
    const move = await creator.call('POST', `/api/spaces/${space.slug}/move`, { url });
    assert.deepEqual(codeOf(move), [403, 'forbidden']);

    for (const path of [
      '/api/agent/me',
      '/api/spaces',
      `/api/spaces/${space.slug}`,
      `${versions}/${version.id}`,
    ]) {
      const read = await creator.call('GET', path);
      assert.ok([401, 403].includes(read.status), `${path} ${read.text()}`);
      assert.match(read.text(), /banned/u);
    }
  });

  it('have their spaces hidden for that time, and the hidden spaces come back', async () => {
    const creator = await service.creator('vole');
    const { urls } = service.service.platform;
    const spaces = await Promise.all([1, 2, 3, 4].map(() => publishLive(service, creator)));
    const [shown = '', hidden = '', offline = '', deleted = ''] = spaces.map(({ space }) => space.slug);
    const operate = (slug: string, action: string) =>
      operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'r' });
    const { previewUrl } = await creator.client.newPreview({ params: { id: spaces[0]?.version.id ?? '' } });
    await operate(hidden, 'hide');
    await creator.call('POST', `/api/spaces/${offline}/offline`);
    await creator.call('DELETE', `/api/spaces/${deleted}`);
    const all = [shown, hidden, offline, deleted];
    const states = async () => {
      const { spaces: found } = (await operator.call('GET', '/api/operator/spaces?q=vole')).json();
      return all.map((slug) => found.find((space: { slug: string }) => space.slug === slug)?.state);
    };
    const seen = () =>
      Promise.all(
        [urls.page(shown), urls.live(shown), previewUrl].map(async (url) => (await service.get(url)).status),
      );
    assert.deepEqual(await states(), ['listed', 'hidden', 'offline', 'deleted']);
    assert.deepEqual(await seen(), [200, 200, 200]);
    await change('vole', 'ban');
    assert.deepEqual(await states(), ['hidden', 'hidden', 'hidden', 'deleted']);
    assert.deepEqual(await seen(), [410, 410, 410]);
    const page = await service.anonymous.call('GET', `/api/gallery/${shown}`);
    assert.deepEqual(codeOf(page), [404, 'not_found']);
    // Actions of operators during the ban stay in effect.
    assert.equal((await operate(offline, 'hold')).json().state, 'held');
    await change('vole', 'unban');
    assert.deepEqual(await states(), ['listed', 'hidden', 'held', 'deleted']);
    assert.deepEqual(await seen(), [200, 200, 200]);
    assert.equal((await operate(offline, 'release')).json().state, 'offline');
    assert.equal((await creator.call('POST', `/api/spaces/${deleted}/restore`)).json().state, 'listed');
  });

  it('have their rights again after the ban', async () => {
    const creator = await service.creator('otter');
    await change('otter', 'ban');
    assert.deepEqual(hostingCodeOf(await create(creator)), [403, 'forbidden']);
    const lifted = await change('otter', 'unban');
    assert.equal(lifted.json().banned_at, null);
    assert.equal((await create(creator)).status, 201);
  });

  it('are signed out by a ban', async () => {
    const browser = await signUp(service, { handle: 'heron' });
    assert.equal((await browser.call('GET', '/api/spaces')).status, 200);
    await change('heron', 'ban');
    assert.deepEqual(codeOf(await browser.call('GET', '/api/spaces')), [401, 'unauthorized']);
    await change('heron', 'unban');
    assert.deepEqual(codeOf(await browser.call('GET', '/api/spaces')), [401, 'unauthorized']);
  });

  it('are banned once, and cannot ban themselves', async () => {
    await service.creator('newt');
    const answers = await Promise.all(Array.from({ length: 4 }, () => change('newt', 'ban')));
    assert.ok(answers.every(({ status }) => status === 200));
    await change('newt', 'unban');
    await change('newt', 'unban');
    const { entries } = (await operator.call('GET', '/api/operator/audit?limit=100')).json();
    const about = entries.filter(({ subject }: { subject: { name: string } }) => subject.name === 'newt');
    assert.deepEqual(
      about.map(({ actor, action, reason }: Record<string, string>) => [actor, action, reason]),
      [
        ['ops', 'unban', 'why unban'],
        ['ops', 'ban', 'why ban'],
      ],
    );
    const own = await change('ops', 'ban');
    assert.deepEqual(codeOf(own), [422, 'invalid']);
    assert.equal(own.json().issues[0].path, 'handle');
    for (const action of ['ban', 'unban'] as const) {
      assert.deepEqual(codeOf(await change('nobody_here', action)), [404, 'not_found']);
      assert.deepEqual(codeOf(await change('not a handle', action)), [422, 'invalid']);
    }
  });

  it('get no waiting version live once they are banned', async () => {
    const idle = await startService({ role: 'serve' });
    try {
      const creator = await idle.creator('magpie');
      const ops = await idle.creator('ops', { operator: true });
      const { version } = await publishFiles(creator, smallGame, {}, { live: true });
      const waiting = creator.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
      await ops.call('POST', '/api/operator/accounts/magpie/ban', { reason: 'r' });
      const stopped = await waiting;
      assert.deepEqual([stopped.status, stopped.stopped], ['checking', true]);
      assert.match(stopped.reason ?? '', /banned/u);
    } finally {
      await idle.close();
    }
  });

  it('get no version checked or live when a finish and the ban happen at once', async () => {
    for (let round = 0; round < 6; round++) {
      const handle = `racer_${round}`;
      const creator = await service.creator(handle);
      const made = await create(creator);
      const contents = new Map(
        fileEntries(smallGame).map(({ sha256, path }) => [sha256, smallGame[path] ?? '']),
      );
      for (const { url, sha256 } of made.json().uploads)
        await putFile(service, url, contents.get(sha256) ?? '');
      const { id } = made.json().version;
      const [finish] = await Promise.all([
        creator.call('POST', `/api/v1/hosting/versions/${id}/finish`, { preview: false }),
        change(handle, 'ban'),
      ]);
      assert.ok([200, 403].includes(finish.status), finish.text());
      await service.settle();
      await change(handle, 'unban');
      const { status, stopped } = await creator.client.readVersion({ params: { id } });
      // The version was finished and judged before the ban, stopped by it, or not finished at all.
      if (finish.status === 403) assert.equal(status, 'uploading');
      else assert.ok(status === 'live' || stopped === true, `${status} ${stopped}`);
    }
  });
});
