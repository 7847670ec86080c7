import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { movingCalls } from '../../test/moving.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { setState } from '../operators/space-actions.ts';
import type { StateAction } from '../spaces/states.ts';
import { blockAddress } from './blocked.ts';
import '../../test/one-engine.ts';

describe('moving a space answers', () => {
  let pages: PageServer;
  let outside: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    outside = await startPages();
    const other = `pages.example.org:${pages.address.split(':')[1]}`;
    service = await startService({ environment: { FETCH_ALLOW: [pages.address, other].join(',') } });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
  });

  const { newPath, newPage, move, read, listed } = movingCalls(() => ({ pages, creator }));

  async function act(slug: string, action: StateAction): Promise<void> {
    const { platform } = service.service;
    const { id } = await platform.database.db
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    await platform.database.transaction((tx) =>
      setState(platform, tx, id, { action, reason: null, by: 'admin' }),
    );
  }

  it('401 unauthorized without a token that works', async () => {
    const { slug } = await listed();
    assert.deepEqual(codeOf(await move(slug, newPage(), service.anonymous)), [401, 'unauthorized']);
    const wrong = await service.anonymous.call(
      'POST',
      `/api/spaces/${slug}/move`,
      { url: newPage() },
      {
        authorization: 'Bearer sp_token_wrong',
      },
    );
    assert.deepEqual(codeOf(wrong), [401, 'unauthorized']);
  });

  it('404 not_found for a space of another account or an unknown space', async () => {
    const { slug } = await listed();
    const stranger = await service.creator();
    const url = newPage(proofTag(stranger.handle));
    const [there, nowhere] = [await move(slug, url, stranger), await move('nowhere', url, stranger)];
    assert.deepEqual(codeOf(there), [404, 'not_found']);
    assert.deepEqual(codeOf(nowhere), [404, 'not_found']);
    assert.equal(there.json().message.replace(slug, 'nowhere'), nowhere.json().message);
    assert.equal(pages.asked(new URL(url).pathname), 0);
  });

  it('403 blocked for a host or an address that an operator blocked', async () => {
    const { slug } = await listed();
    const { database } = service.service.platform;
    const url = newPage();
    const shortcut = pages.put(newPath(), { status: 302, headers: { location: url } });
    await database.transaction((tx) => blockAddress(tx, url));
    for (const address of [url, `${url}#x`, shortcut]) {
      const answer = await move(slug, address);
      assert.deepEqual(codeOf(answer), [403, 'blocked']);
      assert.deepEqual(Object.keys(answer.json()).sort(), ['error', 'message']);
    }
    await database.transaction((tx) => blockAddress(tx, 'example.org'));
    const below = url.replace('127.0.0.1', 'pages.example.org');
    assert.deepEqual(codeOf(await move(slug, below)), [403, 'blocked']);
  });

  it('409 unverified when the page of a claimed space does not name its owner', async () => {
    const space = await listed();
    for (const head of ['', proofTag('someone'), `</head><body>${proofTag(creator.handle)}`]) {
      const answer = await move(space.slug, newPage(head));
      assert.deepEqual(codeOf(answer), [409, 'unverified']);
      const { message, instruction, snippet } = answer.json();
      assert.ok(message && instruction);
      assert.equal(snippet, proofTag(creator.handle));
    }
    assert.equal((await read(space.slug)).url, space.url);
    const unclaimed = await listed('');
    const moved = await move(unclaimed.slug, newPage(''));
    assert.deepEqual([moved.status, moved.json().claimed], [200, false]);
  });

  it('409 duplicate when another space has the address, before or after redirects', async () => {
    const space = await listed();
    const other = await listed(undefined, await service.creator());
    const shortcut = pages.put(newPath(), { status: 307, headers: { location: other.url } });
    for (const address of [other.url, `${other.url}#x`, shortcut]) {
      const answer = await move(space.slug, address);
      assert.deepEqual(codeOf(answer), [409, 'duplicate']);
      assert.equal(answer.json().url, other.service_url);
      assert.ok(answer.json().message);
    }
  });

  it('409 same_url for its own address', async () => {
    const space = await listed();
    const shortcut = pages.put(newPath(), { status: 302, headers: { location: space.url } });
    for (const address of [space.url, `${space.url}#x`, shortcut]) {
      const answer = await move(space.slug, address);
      assert.deepEqual(codeOf(answer), [409, 'same_url'], address);
      assert.ok(answer.json().message);
    }
    const hosted = await publishLive(service, creator);
    const own = service.service.platform.urls.live(hosted.space.slug);
    assert.deepEqual(codeOf(await move(hosted.space.slug, own)), [409, 'same_url']);
  });

  it('409 removed and held while the space is off the service', async () => {
    const { slug } = await listed();
    await act(slug, 'hold');
    const held = await move(slug, newPage());
    assert.deepEqual(codeOf(held), [409, 'held']);
    await act(slug, 'remove');
    const removed = await move(slug, newPage());
    assert.deepEqual(codeOf(removed), [409, 'removed']);
    assert.ok(held.json().message && removed.json().message);
    await act(slug, 'restore');
    assert.deepEqual(codeOf(await move(slug, newPage())), [409, 'held']);
    await act(slug, 'release');
    assert.equal((await move(slug, newPage())).status, 200);
  });

  it('422 invalid for a wrong body, an address that cannot be listed, or one that is not on the web', async () => {
    const { slug } = await listed();
    for (const body of ['{', '[]', {}, { url: 1 }, { url: newPage(), more: 1 }, { url: 'example' }]) {
      const answer = await creator.call('POST', `/api/spaces/${slug}/move`, body);
      assert.deepEqual(codeOf(answer), [422, 'invalid']);
      assert.ok(answer.json().issues.length > 0);
    }
    for (const address of [outside.url('/'), 'http://10.0.0.1/', 'http://printer.local/', service.baseUrl]) {
      const answer = await move(slug, address);
      assert.deepEqual(codeOf(answer), [422, 'invalid']);
      assert.deepEqual(
        answer.json().issues.map(({ path }: { path: string }) => path),
        ['url'],
      );
    }
    const shortcut = pages.put(newPath(), { status: 302, headers: { location: outside.url('/') } });
    assert.deepEqual(codeOf(await move(slug, shortcut)), [422, 'invalid']);
    assert.equal(outside.connections(), 0);
  });

  it('422 unreachable, with an instruction only for a locked page', async () => {
    const { slug } = await listed();
    const broken = await move(slug, pages.put(newPath(), { status: 503 }));
    assert.deepEqual(codeOf(broken), [422, 'unreachable']);
    assert.deepEqual(Object.keys(broken.json()).sort(), ['error', 'message']);
    const locked = await move(slug, pages.put(newPath(), { status: 401 }));
    assert.deepEqual(codeOf(locked), [422, 'unreachable']);
    assert.deepEqual(Object.keys(locked.json()).sort(), ['error', 'instruction', 'message']);
  });

  it('422 unframeable when the page refuses frames', async () => {
    const { slug } = await listed();
    const answer = await move(slug, pages.put(newPath(), { headers: { 'x-frame-options': 'deny' } }));
    assert.deepEqual(codeOf(answer), [422, 'unframeable']);
    assert.deepEqual(Object.keys(answer.json()).sort(), ['error', 'instruction', 'message', 'snippet']);
  });
});
