import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../test/answers.ts';
import { listing, publishLive } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { listOwnerless } from '../operators/list-ownerless.ts';
import { setState } from '../operators/space-actions.ts';
import { blockAddress } from './blocked.ts';

describe('verifying a space', () => {
  let pages: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  let nextPath = 0;
  const newPath = () => `/page-${nextPath++}`;
  const verify = (body: object | string, who: Pick<Persona, 'call'> = creator) =>
    who.call('POST', '/api/spaces/verify', body);
  async function listed(
    path: string,
    who = creator,
  ): Promise<{ slug: string; url: string; updated_at: string }> {
    const answer = await who.call('POST', '/api/spaces', { url: pages.url(path), ...listing });
    assert.equal(answer.status, 201, answer.text());
    return answer.json();
  }
  async function ownerless(path: string) {
    const { platform } = service.service;
    const view = await listOwnerless(
      platform,
      pages.url(path),
      { title: 'Found', space_type: 'game', devices: ['desktop'] },
      'admin',
    );
    return { slug: view.slug, id: view.id };
  }

  it('claims an unclaimed listing of the caller’s own, by slug or by address', async () => {
    for (const by of ['slug', 'url'] as const) {
      const path = newPath();
      pages.put(path, '');
      const space = await listed(path);
      const refused = await verify({ [by]: space[by] });
      assert.deepEqual(codeOf(refused), [409, 'unverified']);
      assert.equal(refused.json().snippet, proofTag(creator.handle));
      assert.ok(refused.json().instruction && refused.json().message);
      pages.put(path, proofTag(creator.handle));
      const answer = await verify({ [by]: space[by] });
      assert.equal(answer.status, 200, answer.text());
      assert.equal(answer.headers.etag, '"2"');
      assert.deepEqual(
        [answer.json().claimed, answer.json().owner, answer.json().slug],
        [true, creator.handle, space.slug],
      );
      assert.deepEqual((await verify({ [by]: space[by] })).json(), answer.json(), 'again changes nothing');
    }
  });

  it('claims a page that an operator listed, for the account that the page names', async () => {
    const path = newPath();
    pages.put(path, '');
    const { slug } = await ownerless(path);
    const stranger = await service.creator();
    assert.deepEqual(codeOf(await creator.call('GET', `/api/spaces/${slug}`)), [404, 'not_found']);
    assert.deepEqual(codeOf(await verify({ slug })), [409, 'unverified']);
    pages.put(path, proofTag(creator.handle));
    assert.deepEqual(codeOf(await verify({ slug }, stranger)), [409, 'unverified']);
    const claimed = await verify({ url: `${pages.url(path)}#x` });
    assert.deepEqual(
      [claimed.status, claimed.json().owner, claimed.json().claimed],
      [200, creator.handle, true],
    );
    assert.equal((await creator.call('GET', `/api/spaces/${slug}`)).status, 200);
    assert.deepEqual(codeOf(await verify({ slug }, stranger)), [404, 'not_found']);
  });

  it('claims a page that names several accounts for the first of them', async () => {
    const path = newPath();
    const people = [await service.creator(), await service.creator()];
    pages.put(path, people.map(({ handle }) => proofTag(handle)).join(''));
    const { slug } = await ownerless(path);
    const hold = pages.hold(path);
    const before = pages.asked(path);
    const verifying = people.map((who) => verify({ slug }, who));
    while (pages.asked(path) < before + people.length) await sleep(5);
    hold.release();
    const answers = await Promise.all(verifying);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const lost = answers.find(({ status }) => status !== 200) ?? assert.fail();
    assert.deepEqual(codeOf(lost), [409, 'conflict']);
  });

  it('answers not_found for spaces of other creators and for unknown spaces', async () => {
    const path = newPath();
    pages.put(path, proofTag(creator.handle));
    const theirs = await listed(path, await service.creator());
    const hosted = await publishLive(service, await service.creator());
    for (const body of [
      { slug: theirs.slug },
      { url: theirs.url },
      { slug: hosted.space.slug },
      { slug: 'nowhere' },
      { url: pages.url('/nowhere') },
      { url: 'http://10.0.0.1/' },
    ])
      assert.deepEqual(codeOf(await verify(body)), [404, 'not_found'], JSON.stringify(body));
  });

  it('needs either a slug or an address, and a signed-in account', async () => {
    for (const body of ['{', {}, { slug: 'a', url: 'http://a.example/' }, { url: 'a' }, { slug: 1 }])
      assert.deepEqual(codeOf(await verify(body)), [422, 'invalid'], JSON.stringify(body));
    assert.deepEqual(codeOf(await verify({ slug: 'a' }, service.anonymous)), [401, 'unauthorized']);
  });

  it('needs an account with a handle that is not banned', async () => {
    const path = newPath();
    pages.put(path, proofTag(creator.handle));
    const { slug } = await ownerless(path);
    const asked = pages.asked(path);
    assert.deepEqual(codeOf(await verify({ slug }, await signUp(service))), [403, 'no_handle']);
    const banned = await service.creator();
    const operator = await service.creator(undefined, { operator: true });
    await operator.call('POST', `/api/operator/accounts/${banned.handle}/ban`, { reason: 'spam' });
    assert.deepEqual(codeOf(await verify({ slug }, banned)), [403, 'forbidden']);
    assert.equal(pages.asked(path), asked);
  });

  it('counts among the pages that the service fetches for one account', async () => {
    const strict = await startService({
      environment: { FETCH_ALLOW: pages.address, LISTINGS_PER_HOUR: '3' },
    });
    try {
      const who = await strict.creator();
      const path = newPath();
      pages.put(path, '');
      const { slug } = await listed(path, who);
      const answers = await Promise.all(Array.from({ length: 5 }, () => verify({ slug }, who)));
      assert.deepEqual(answers.map(codeOf).sort(), [
        [409, 'unverified'],
        [409, 'unverified'],
        ...Array.from({ length: 3 }, () => [429, 'rate_limited']),
      ]);
      assert.equal(pages.asked(path), 3);
      strict.clock.advance({ hours: 1 });
      assert.deepEqual(codeOf(await verify({ slug }, who)), [409, 'unverified']);
    } finally {
      await strict.close();
    }
  });

  it('does nothing for a hosted space of the caller’s own', async () => {
    const { space } = await publishLive(service, creator);
    const answer = await verify({ slug: space.slug });
    assert.deepEqual([answer.status, answer.json().claimed], [200, true]);
  });

  it('is refused when the page is gone, locked or blocked, or the space is off the service', async () => {
    const path = newPath();
    pages.put(path, proofTag(creator.handle));
    const { slug, id } = await ownerless(path);
    pages.put(path, { status: 500 });
    assert.deepEqual(codeOf(await verify({ slug })), [422, 'unreachable']);
    pages.put(path, { status: 401 });
    assert.ok((await verify({ slug })).json().instruction);
    pages.put(path, proofTag(creator.handle));
    const { platform } = service.service;
    const { database } = platform;
    for (const [action, undo, code] of [
      ['hold', 'release', 'held'],
      ['remove', 'restore', 'removed'],
    ] as const) {
      await database.transaction((tx) =>
        setState(service.service.platform, tx, id, { action, reason: null, by: 'admin' }),
      );
      assert.deepEqual(codeOf(await verify({ slug })), [409, code]);
      await database.transaction((tx) =>
        setState(service.service.platform, tx, id, { action: undo, reason: null, by: 'admin' }),
      );
    }
    await database.transaction((tx) => blockAddress(tx, pages.url(path)));
    assert.deepEqual(codeOf(await verify({ slug })), [403, 'blocked']);
  });
});
