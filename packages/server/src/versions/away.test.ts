import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('what players have in the browser of a space', () => {
  let service: TestService;
  let pages: PageServer;
  let creator: Persona;
  let operator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator('hopper');
    operator = await service.creator('ops', { operator: true });
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  async function publish(who = creator): Promise<string> {
    return (await publishLive(service, who, { 'index.html': '<title>Moon</title>' })).space.slug;
  }
  async function done(who: Persona, method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
    const answer = await who.call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text()}`);
  }
  const operate = (path: string) =>
    done(operator, 'POST', `/api/operator/${path}`, { reason: 'Somebody asked.' });
  /** Returns the status at the space's host, and what the browser is told to delete. */
  async function shown(slug: string): Promise<[number, string | string[] | undefined]> {
    const { status, headers } = await service.get(service.service.platform.urls.live(slug));
    return [status, headers['clear-site-data']];
  }
  const kept = [410, '"cache"'];
  const cleared = [410, '"cache", "storage"'];

  it('stays while its creator has taken it offline, moved it or deleted it for now', async () => {
    const slug = await publish();
    const space = `/api/spaces/${slug}`;
    await done(creator, 'POST', `${space}/offline`);
    assert.deepEqual(await shown(slug), kept);
    await done(creator, 'POST', `${space}/online`);
    assert.deepEqual(await shown(slug), [200, undefined]);
    await done(creator, 'DELETE', space);
    assert.deepEqual(await shown(slug), kept);
    await done(creator, 'POST', `${space}/restore`);
    await done(creator, 'POST', `${space}/move`, { url: pages.put('/moved', proofTag(creator.handle)) });
    assert.deepEqual(await shown(slug), kept);
  });

  it('stays during a review, and is deleted when operators hide or remove the space', async () => {
    const slug = await publish();
    for (const [action, undo, expected] of [
      ['hold', 'release', kept],
      ['hide', 'restore', cleared],
      ['remove', 'restore', cleared],
    ] as const) {
      await operate(`spaces/${slug}/${action}`);
      assert.deepEqual(await shown(slug), expected, action);
      await operate(`spaces/${slug}/${undo}`);
    }
  });

  it('is deleted when a removed space or one of a banned account was deleted or taken offline', async () => {
    const maker = await service.creator('outcast');
    const [first, second] = [await publish(maker), await publish(maker)];
    await operate(`spaces/${first}/remove`);
    await done(maker, 'DELETE', `/api/spaces/${first}`);
    assert.deepEqual(await shown(first), cleared);
    await done(maker, 'POST', `/api/spaces/${second}/offline`);
    assert.deepEqual(await shown(second), kept);
    await operate('accounts/outcast/ban');
    assert.deepEqual(await shown(second), cleared);
  });

  it('is deleted once a deleted space cannot be restored any more', async () => {
    const slug = await publish();
    await done(creator, 'DELETE', `/api/spaces/${slug}`);
    assert.deepEqual(await shown(slug), kept);
    service.clock.advance({ days: 8 });
    await service.service.sweep();
    await service.settle();
    assert.deepEqual(await shown(slug), cleared);
  });
});
