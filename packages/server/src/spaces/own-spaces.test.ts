import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type PageServer, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { setState } from '../operators/space-actions.ts';

describe('a creator’s own spaces', () => {
  let pages: PageServer;
  let service: TestService;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  let nextPath = 0;
  async function listed(who: Persona, title = 'Pong'): Promise<{ slug: string }> {
    const url = pages.put(`/page-${nextPath++}`, '');
    const answer = await who.call('POST', '/api/spaces', { ...listing, url, title });
    assert.equal(answer.status, 201, answer.text());
    return answer.json();
  }

  describe('in a list', () => {
    const page = async (who: Persona, query: string) => {
      const answer = await who.call('GET', `/api/spaces${query}`);
      assert.equal(answer.status, 200, answer.text());
      const { spaces, next } = answer.json();
      return {
        slugs: spaces.map(({ slug }: { slug: string }) => slug) as string[],
        next: next as string | null,
      };
    };

    it('are sorted newest first, hosted and listed ones, each equal to its own read', async () => {
      const who = await service.creator();
      const other = await service.creator();
      assert.deepEqual(await page(who, '?mine=1'), { slugs: [], next: null });
      const first = await listed(who, 'First');
      await listed(other);
      const second = (await publishLive(service, who)).space;
      const { platform } = service.service;
      for (const query of ['', '?mine=1', '?mine=true&limit=100']) {
        assert.deepEqual(await page(who, query), { slugs: [second.slug, first.slug], next: null });
      }
      const [{ plays, waiting_checks, ...shown }] = (await who.call('GET', '/api/spaces')).json().spaces;
      assert.deepEqual(shown, (await who.call('GET', `/api/spaces/${second.slug}`)).json());
      assert.deepEqual([plays, waiting_checks], [0, 0]);
      assert.deepEqual([shown.hosted, shown.live_version, shown.claimed], [true, 1, true]);
      assert.equal(shown.url, platform.urls.live(second.slug));
    });

    it('show how many of their versions wait for the safety check', async (context) => {
      const waiting = async (of: Persona) =>
        Object.fromEntries(
          (await of.client.mySpaces()).spaces.map(({ slug, waiting_checks }) => [slug, waiting_checks]),
        );
      // This process runs no jobs, so the checks stay waiting.
      const idle = await startService({ role: 'serve', environment: { FETCH_ALLOW: pages.address } });
      context.after(() => idle.close());
      const ada = await idle.creator();
      const { slug } = (await publishFiles(ada, smallGame, {}, { live: true })).space;
      await publishFiles(ada, smallGame, { space: slug }, { live: true });
      const other = (await publishFiles(ada, smallGame, {}, { live: true })).space.slug;
      const page = (await listed(ada)).slug;
      assert.deepEqual(await waiting(ada), { [slug]: 2, [other]: 1, [page]: 0 });
      const judged = await service.creator();
      const { space } = await publishLive(service, judged);
      assert.deepEqual(await waiting(judged), { [space.slug]: 0 });
    });

    it('are paged without repeating or losing a space while others are added', async () => {
      const who = await service.creator();
      const before: string[] = [];
      for (let count = 0; count < 11; count++) before.push((await listed(who)).slug);
      const seen: string[] = [];
      let next: string | null = null;
      do {
        const cursor: string = next === null ? '' : `&cursor=${next}`;
        const { slugs, next: following } = await page(who, `?limit=3${cursor}`);
        assert.ok(slugs.length <= 3);
        seen.push(...slugs);
        next = following;
        await listed(who);
      } while (next !== null);
      assert.deepEqual(seen, before.toReversed());
    });

    it('are in a stable order when many were made at the same time', async () => {
      const who = await service.creator();
      for (let count = 0; count < 5; count++) await listed(who);
      const { db } = service.service.platform.database;
      await db.updateTable('spaces').set({ created_at: 1_000 }).where('title', '=', 'Pong').execute();
      const first = await page(who, '?limit=2');
      const second = await page(who, `?limit=2&cursor=${first.next}`);
      const third = await page(who, `?limit=2&cursor=${second.next}`);
      assert.equal(third.next, null);
      assert.equal(new Set([...first.slugs, ...second.slugs, ...third.slugs]).size, 5);
    });

    it('are refused for a wrong query, and without a credential', async () => {
      const who = await service.creator();
      for (const query of [
        '?limit=0',
        '?limit=101',
        '?limit=x',
        '?cursor=x',
        '?cursor=',
        '?page=2',
        '?mine=0',
      ])
        assert.deepEqual(codeOf(await who.call('GET', `/api/spaces${query}`)), [422, 'invalid'], query);
      assert.deepEqual(codeOf(await service.anonymous.call('GET', '/api/spaces')), [401, 'unauthorized']);
    });
  });

  describe('when they are changed', () => {
    it('keep the fields that were not named', async () => {
      const who = await service.creator();
      const { slug } = await listed(who);
      const path = `/api/spaces/${slug}`;
      const before = (await who.call('GET', path)).json();
      const change = {
        title: 'Pong 2',
        devices: ['mobile', 'desktop'],
        description: 'Two\nlines.',
        models: ['m'],
        how_made: 'By hand.',
        source_url: 'https://example.com/pong',
        page: { accent: '#a0B1c2', links: [{ label: 'Blog', url: 'https://example.com/' }] },
      };
      const answer = await who.call('PATCH', path, change);
      assert.equal(answer.status, 200, answer.text());
      const after = answer.json();
      const expected = { ...before, ...change, page: { ...before.page, ...change.page } };
      assert.deepEqual(after, { ...expected, updated_at: after.updated_at });
      const cleared = await who.call('PATCH', path, {
        description: null,
        how_made: null,
        source_url: null,
        engine: null,
        models: [],
        page: { unlisted: true, links: [] },
      });
      const { description, how_made, source_url, models, page, title } = cleared.json();
      assert.deepEqual(
        { description, how_made, source_url, models, title },
        { description: null, how_made: null, source_url: null, models: [], title: 'Pong 2' },
      );
      assert.deepEqual(page, { ...expected.page, unlisted: true, links: [] });
      assert.deepEqual((await who.call('PATCH', path, {})).json(), cleared.json());
    });

    it('stay unchanged when a field is wrong', async () => {
      const who = await service.creator();
      const { slug } = await listed(who);
      const path = `/api/spaces/${slug}`;
      const before = (await who.call('GET', path)).json();
      const link = { label: 'x', url: 'https://example.com/' };
      for (const [body, issue] of [
        ['{', ''],
        [{ title: null }, 'title'],
        [{ title: 'x'.repeat(81) }, 'title'],
        [{ devices: ['desktop', 'desktop'] }, 'devices'],
        [{ url: 'https://example.com/' }, 'url'],
        [{ slug: 'mine' }, 'slug'],
        [{ state: 'listed' }, 'state'],
        [{ page: { accent: 'red' } }, 'page.accent'],
        [{ page: { links: Array(6).fill(link) } }, 'page.links'],
        [{ page: { links: [{ label: 'x', url: 'javascript:1' }] } }, 'page.links.0.url'],
        [{ page: { colour: 1 } }, 'page.colour'],
      ] as const) {
        const answer = await who.call('PATCH', path, body);
        assert.deepEqual(codeOf(answer), [422, 'invalid'], answer.text());
        assert.equal(answer.json().issues[0].path, issue);
      }
      assert.deepEqual((await who.call('GET', path)).json(), before);
    });

    it('honour If-Match', async () => {
      const who = await service.creator();
      const { slug } = await listed(who);
      const path = `/api/spaces/${slug}`;
      const patch = (ifMatch: string, title: string) =>
        who.call('PATCH', path, { title }, { 'if-match': ifMatch });
      const etag = (await who.call('GET', path)).headers.etag ?? '';
      assert.match(etag, /^"\w+"$/u);
      const first = await patch(etag, 'One');
      assert.equal(first.status, 200);
      assert.notEqual(first.headers.etag, etag);
      assert.equal(first.headers.etag, (await who.call('GET', path)).headers.etag);
      for (const stale of [etag, `W/${first.headers.etag}`, '"nonsense"', 'nonsense'])
        assert.deepEqual(codeOf(await patch(stale, 'Two')), [412, 'precondition_failed'], stale);
      assert.equal((await who.call('GET', path)).json().title, 'One');
      assert.equal((await patch(`"x", ${first.headers.etag}`, 'Three')).status, 200);
      assert.equal((await patch('*', 'Four')).status, 200);
    });

    it('change once when several requests with the same ETag come at once', async () => {
      const who = await service.creator();
      const { slug } = await listed(who);
      const path = `/api/spaces/${slug}`;
      const etag = (await who.call('GET', path)).headers.etag ?? '';
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          who.call('PATCH', path, { title: `Title ${index}` }, { 'if-match': etag }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)]);
      const won = answers.find(({ status }) => status === 200)?.json();
      assert.equal((await who.call('GET', path)).json().title, won.title);
    });

    it('can be read, but not changed, while they are off the service', async () => {
      const who = await service.creator();
      const { slug } = await listed(who);
      const { platform } = service.service;
      const { database } = platform;
      const { id } = await database.db
        .selectFrom('spaces')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow();
      for (const [action, state] of [
        ['hold', 'held'],
        ['remove', 'removed'],
      ] as const) {
        await database.transaction((tx) =>
          setState(service.service.platform, tx, id, { action, reason: null, by: 'admin' }),
        );
        assert.deepEqual(codeOf(await who.call('PATCH', `/api/spaces/${slug}`, { title: 'x' })), [
          409,
          state,
        ]);
        assert.equal((await who.call('GET', `/api/spaces/${slug}`)).json().state, state);
      }
    });
  });

  it('can be changed only by their creator', async () => {
    const who = await service.creator();
    const { slug } = await listed(who);
    const strangers = [await service.creator(), await service.creator(undefined, { operator: true })];
    const calls = [
      ['GET', `/api/spaces/${slug}`, undefined],
      ['PATCH', `/api/spaces/${slug}`, { title: 'Mine' }],
      ['POST', '/api/spaces/recapture', { slug }],
      ['POST', '/api/spaces/verify', { slug }],
    ] as const;
    for (const [method, path, body] of calls) {
      for (const stranger of strangers) {
        const answer = await stranger.call(method, path, body);
        assert.deepEqual(codeOf(answer), [404, 'not_found'], `${method} ${path}`);
        const unknown = await stranger.call(
          method,
          path.replace(slug, 'nowhere'),
          body && JSON.parse(JSON.stringify(body).replace(slug, 'nowhere')),
        );
        assert.equal(unknown.json().message, answer.json().message.replace(slug, 'nowhere'));
      }
      assert.deepEqual(codeOf(await service.anonymous.call(method, path, body)), [401, 'unauthorized']);
    }
    assert.equal((await who.call('GET', `/api/spaces/${slug}`)).json().title, 'Pong');
  });
});
