import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import type { BrowserPool } from '../platform/browser/pool.ts';
import { givenId, type SpaceId } from '../platform/db/ids.ts';
import { LeaseLost } from '../platform/jobs/queue.ts';
import type { SiteVisit } from '../serving/visit-site.ts';
import { countTake } from '../spaces/pictures.queries.ts';
import { findCurrentPage } from '../versions/current-page.ts';
import { keepCheckPicture } from './check-pictures.ts';
import { createClipJob } from './clip-job.ts';

/**
 * Tests the stored pictures on both engines. clips.test.ts and page-check.test.ts take pictures with a
 * browser; here they are given.
 */
describe('the takes of a space', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
  const seen = (mark: string): SiteVisit => ({
    end: 'seen',
    detail: null,
    status: 200,
    loaded: true,
    loadMs: 10,
    bytes: 100,
    consoleErrors: [],
    openedWindows: 0,
    failedRequests: [],
    asked: [],
    documents: [],
    documentsCut: false,
    databases: [],
    firstFiles: [],
    picture: { large: bytesOf(`large ${mark}`), small: bytesOf(`small ${mark}`), isPlain: false },
  });

  /** Requests another picture as its owner does. */
  const ask = (id: SpaceId) => service.service.platform.database.transaction((tx) => countTake(tx, id));

  /** Runs the job of a space's picture as a worker does, with a given result of the browser. */
  async function take(id: SpaceId, mark: string, confirmLease = async () => {}): Promise<void> {
    const { platform } = service.service;
    const browsers: BrowserPool = {
      certificate: null,
      isAvailable: async () => true,
      state: () => ({ is: 'starting' }),
      visit: async () => seen(mark),
      peakMemoryBytes: () => 0,
      close: async () => {},
    };
    const job = createClipJob(platform, {
      browsers,
      visitSite: async () => seen(mark),
      findPage: (space) => findCurrentPage(platform, space),
    });
    const { signal } = new AbortController();
    await job.run({ ref: id, signal, confirmLease });
  }
  const space = async (slug: string) => (await creator.call('GET', `/api/spaces/${slug}`)).json();
  const version = async (id: string) => (await creator.call('GET', `/api/v1/hosting/versions/${id}`)).json();
  const text = async (url: string) => {
    const answer = await service.get(url);
    return answer.status === 200 ? answer.text() : answer.status;
  };
  const takes = async (slug: string) => (await creator.call('GET', `/api/spaces/${slug}/takes`)).json().takes;
  const stored = async () => (await Array.fromAsync(service.service.platform.store.list())).length;
  /** Publishes a space and returns its id, which is in the addresses of its clips. */
  async function published() {
    const made = await publishLive(service, creator);
    const { db } = service.service.platform.database;
    const { id } = await db
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', made.space.slug)
      .executeTakeFirstOrThrow();
    return { id, slug: made.space.slug, version: made.version.id };
  }

  it('are the last three, the newest is shown, and the files of older ones are deleted', async () => {
    const { id, slug, version: live } = await published();
    const before = await stored();
    for (const number of [1, 2, 3, 4]) {
      await ask(id);
      await take(id, `${slug} ${number}`);
      const { clip } = await space(slug);
      assert.equal(clip.take, number);
      assert.equal(await text(clip.url), `large ${slug} ${number}`);
      assert.equal(await text(clip.url.replace('.webp', '-small.webp')), `small ${slug} ${number}`);
      assert.equal((await version(live)).shownOnTake, number);
    }
    assert.deepEqual(
      (await takes(slug)).map((one: { take: number }) => one.take),
      [4, 3, 2],
    );
    assert.equal((await stored()) - before, 6);
    const earlier = async (number: number) =>
      text((await space(slug)).clip.url.replace(/\d+\.webp$/u, `${number}.webp`));
    assert.deepEqual([await earlier(1), await earlier(5)], [404, 404]);
    service.clock.advance({ hours: 60 });
    await service.service.sweep();
    assert.equal(await earlier(2), `large ${slug} 2`);
    // A late worker's take with the same number is dropped.
    await take(id, `${slug} again`);
    assert.equal(await text((await space(slug)).clip.url), `large ${slug} 4`);
    assert.equal((await stored()) - before, 6);
  });

  it('are not written by a worker that has lost its lease', async () => {
    const { id, slug } = await published();
    const lost = async () => {
      throw new LeaseLost();
    };
    await assert.rejects(take(id, slug, lost), LeaseLost);
    assert.deepEqual([(await space(slug)).clip, await takes(slug)], [null, []]);
  });

  it('can be made the cover, which later takes do not replace, by the owner only', async () => {
    const { id, slug } = await published();
    await ask(id);
    await take(id, `${slug} 1`);
    const choose = (number: number, who = creator) =>
      who.call('POST', `/api/spaces/${slug}/cover`, { take: number });
    const other = await service.creator();
    for (const refused of [await choose(1, other), await choose(9)])
      assert.deepEqual(codeOf(refused), [404, 'not_found']);
    assert.deepEqual(codeOf(await other.call('GET', `/api/spaces/${slug}/takes`)), [404, 'not_found']);
    assert.equal((await space(slug)).cover, null);
    const { cover } = (await choose(1)).json();
    assert.equal(await text(cover.url.replace('.webp', '-small.webp')), `small ${slug} 1`);
    for (const number of [2, 3, 4]) {
      await ask(id);
      await take(id, `${slug} ${number}`);
    }
    assert.deepEqual(
      (await takes(slug)).map((one: { take: number }) => one.take),
      [4, 3, 2],
    );
    assert.equal(await text((await space(slug)).cover.url), `large ${slug} 1`);
    assert.equal((await creator.call('DELETE', `/api/spaces/${slug}/cover`)).json().cover, null);
    assert.equal(await text(cover.url), 404);
  });

  it('are not served while the space is hidden', async () => {
    const { id, slug } = await published();
    await ask(id);
    await take(id, slug);
    const { url } = (await space(slug)).clip;
    const operator = await service.creator(undefined, { operator: true });
    const hide = await operator.call('POST', `/api/operator/spaces/${slug}/hide`, { reason: 'a test' });
    assert.equal(hide.status, 200, hide.text());
    for (const one of [url, url.replace('.webp', '-small.webp')]) assert.equal(await text(one), 404);
  });

  it('are kept apart from the picture of a check', async () => {
    const { version: live } = await published();
    const id = givenId('ver', live);
    const before = await stored();
    const first = await keepCheckPicture(service.service.platform, id, bytesOf(`check ${live} 1`));
    const second = await keepCheckPicture(service.service.platform, id, bytesOf(`check ${live} 2`));
    assert.deepEqual([await text(first), await text(second)], [404, `check ${live} 2`]);
    assert.equal((await stored()) - before, 1);
  });
});
