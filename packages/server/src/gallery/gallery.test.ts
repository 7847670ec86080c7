import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { proofTagName } from '@spaceport/contract/listing';
import { codeOf } from '../../test/answers.ts';
import { listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type PageServer, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { setState } from '../operators/space-actions.ts';
import { toJson } from '../platform/db/json.ts';

describe('the gallery', () => {
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
  /** Lists a page of the creator, with the proof tag; without it if `head` is empty. */
  async function listed(
    fields: object = {},
    head = `<meta name="${proofTagName}" content="${creator.handle}">`,
  ): Promise<{ slug: string; service_url: string }> {
    const url = pages.put(`/page-${nextPath++}`, head);
    const answer = await creator.call('POST', '/api/spaces', { ...listing, url, ...fields });
    assert.equal(answer.status, 201, answer.text());
    return answer.json();
  }
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.anonymous.call('GET', path, undefined, headers);
  const slugs = async (query: string) => {
    const answer = await get(`/api/gallery${query}`);
    assert.equal(answer.status, 200, answer.text());
    return answer.json().spaces.map(({ slug }: { slug: string }) => slug) as string[];
  };
  /** A word that only the spaces of one test have. */
  let nextWord = 0;
  const newWord = () => 'abcdefghijklmnop'.charAt(nextWord++).repeat(6);
  const patch = (slug: string, change: object) => creator.call('PATCH', `/api/spaces/${slug}`, change);

  it('shows the public fields of a space, and no field that is only for its owner', async () => {
    const { slug } = await listed({ title: 'Shown', how_made: 'By hand.', description: 'Hops.' });
    const answer = await get(`/api/gallery/${slug}`);
    assert.equal(answer.status, 200, answer.text());
    const own = (await creator.call('GET', `/api/spaces/${slug}`)).json();
    const { state: _, live_version: __, page_warning: ___, operators_message: ____, ...same } = own;
    const shown = { ...same, plays: 0 };
    assert.deepEqual(answer.json(), { ...shown, boards: [], achievements: [] });
    const inList = (await get('/api/gallery?q=Shown')).json().spaces[0];
    assert.deepEqual(inList, shown);
    const { db } = service.service.platform.database;
    const rows = await db.selectFrom('spaces').selectAll().where('slug', '=', slug).execute();
    const people = await db.selectFrom('creators').selectAll().execute();
    for (const secret of [creator.token, rows[0]?.id, ...people.flatMap(({ id, email }) => [id, email])])
      assert.ok(secret && !answer.text().includes(secret));
    await patch(slug, { page: { show_how_made: false } });
    const hidden = await get(`/api/gallery/${slug}`);
    assert.equal(hidden.json().how_made, null);
    assert.ok(!hidden.text().includes('By hand.'));
  });

  it('names no maker for an unclaimed page, and says that it is unclaimed', async () => {
    const word = newWord();
    const { slug, service_url } = await listed({ title: `Unproved ${word}` }, '');
    const one = (await get(`/api/gallery/${slug}`)).json();
    const [inList] = (await get(`/api/gallery?q=${word}`)).json().spaces;
    for (const shown of [one, inList]) assert.deepEqual([shown.owner, shown.claimed], [null, false]);
    const oembed = (await get(`/oembed?url=${encodeURIComponent(service_url)}`)).json();
    assert.equal(oembed.author_name, undefined);
    const at = async (path: string) => (await service.get(`${service.baseUrl}${path}`)).text();
    const page = await at(`/s/${slug}`);
    assert.match(page, /Unclaimed:<\/strong> somebody listed this page/u);
    assert.doesNotMatch(page, new RegExp(`@${creator.handle}`, 'u'));
    assert.match(await at(`/?q=${word}`), /unclaimed/u);
    assert.doesNotMatch(await at(`/@${creator.handle}`), new RegExp(word, 'u'));
    assert.equal((await creator.call('GET', `/api/spaces/${slug}`)).json().owner, creator.handle);
  });

  it('may be cached for ten seconds, and is revalidated by ETag', async () => {
    const { slug, service_url } = await listed({ title: 'Cached' });
    const oembed = `/oembed?url=${encodeURIComponent(service_url)}`;
    for (const path of [`/api/gallery/${slug}`, '/api/gallery?q=cached', oembed]) {
      const first = await get(path);
      assert.equal(first.headers['cache-control'], 'public, max-age=10', path);
      const etag = first.headers.etag ?? '';
      assert.match(etag, /^"[\w-]+"$/u);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': known });
        assert.deepEqual([again.status, again.text()], [304, ''], known);
        assert.equal(again.headers.etag, etag);
      }
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
      await patch(slug, { title: `Cached ${path.length}` });
      const changed = await get(path, { 'if-none-match': etag });
      assert.equal(changed.status, 200, path);
      assert.notEqual(changed.headers.etag, etag);
    }
  });

  it('gives the same answer with any credential and without one', async () => {
    const { slug } = await listed();
    const path = `/api/gallery/${slug}`;
    assert.equal((await creator.call('GET', path)).text(), (await get(path)).text());
    assert.equal((await get(path, { authorization: 'Bearer nonsense' })).status, 200);
  });

  describe('contains only', () => {
    it('hosted spaces that are live', async () => {
      const title = newWord();
      const fields = { title, space_type: 'game' as const, devices: ['desktop' as const] };
      const { space } = await publishFiles(creator, smallGame, { fields });
      assert.deepEqual(await slugs(`?q=${title}`), []);
      assert.deepEqual(codeOf(await get(`/api/gallery/${space.slug}`)), [404, 'not_found']);
      await publishLive(service, creator, { 'index.html': title }, { space: space.slug });
      assert.deepEqual(await slugs(`?q=${title}`), [space.slug]);
      const shown = (await get(`/api/gallery/${space.slug}`)).json();
      assert.equal(shown.url, service.service.platform.urls.live(space.slug));
    });

    it('spaces that are on the service', async () => {
      const title = newWord();
      const { slug, service_url } = await listed({ title });
      const { platform } = service.service;
      const { id } = await platform.database.db
        .selectFrom('spaces')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow();
      for (const [action, undo] of [
        ['hold', 'release'],
        ['hide', 'restore'],
        ['remove', 'restore'],
      ] as const) {
        await platform.database.transaction((tx) =>
          setState(platform, tx, id, { action, reason: null, by: 'admin' }),
        );
        assert.deepEqual(await slugs(`?q=${title}`), [], action);
        assert.deepEqual(codeOf(await get(`/api/gallery/${slug}`)), [404, 'not_found']);
        const oembed = await get(`/oembed?url=${encodeURIComponent(service_url)}`);
        assert.deepEqual(codeOf(oembed), [404, 'not_found']);
        await platform.database.transaction((tx) =>
          setState(platform, tx, id, { action: undo, reason: null, by: 'admin' }),
        );
        assert.deepEqual(await slugs(`?q=${title}`), [slug]);
      }
    });

    it('spaces that their creators want in the list', async () => {
      const title = newWord();
      const { slug } = await listed({ title });
      await patch(slug, { page: { unlisted: true } });
      assert.deepEqual(await slugs(`?q=${title}`), []);
      assert.equal((await get(`/api/gallery/${slug}`)).status, 200, 'who has the link may look');
      await patch(slug, { page: { unlisted: false } });
      assert.deepEqual(await slugs(`?q=${title}`), [slug]);
    });
  });

  it('is searched by words in title and description, ignoring case and accents', async () => {
    const word = newWord();
    const zoe = (await listed({ title: `Zoë’s ${word}`, description: 'Über die Straße, 100% fun_times' }))
      .slug;
    const other = (await listed({ title: `Other ${word.toUpperCase()}` })).slug;
    const cases: [string, string[]][] = [
      [word, [other, zoe]],
      [`ZOE ${word}`, [zoe]],
      [`  uber   ${word} `, [zoe]],
      [`Straße ${word}`, [zoe]],
      [`100% ${word}`, [zoe]],
      [`1%0 ${word}`, []],
      [`fun_times ${word}`, [zoe]],
      [`f_n ${word}`, []],
      [`\\ "* ${word}`, [other, zoe]],
      [`' or 1=1 -- ${word}`, []],
    ];
    for (const [q, expected] of cases)
      assert.deepEqual(await slugs(`?sort=new&q=${encodeURIComponent(q)}`), expected, q);
    await patch(zoe, { title: 'Renamed', description: null });
    assert.deepEqual(await slugs(`?q=${word}`), [other]);
  });

  it('is filtered by type, and sorted by age or plays', async () => {
    const word = newWord();
    const first = (await listed({ title: `${word} 1`, space_type: 'tool' })).slug;
    const second = (await listed({ title: `${word} 2` })).slug;
    const third = (await listed({ title: `${word} 3`, space_type: 'tool' })).slug;
    assert.deepEqual(await slugs(`?q=${word}&sort=new`), [third, second, first]);
    assert.deepEqual(await slugs(`?q=${word}&sort=new&space_type=tool`), [third, first]);
    assert.deepEqual(await slugs(`?q=${word}&space_type=story`), []);
    const { db } = service.service.platform.database;
    await db.updateTable('spaces').set({ plays: 7 }).where('slug', '=', second).execute();
    await db.updateTable('spaces').set({ plays: 3 }).where('slug', '=', first).execute();
    assert.deepEqual(await slugs(`?q=${word}&sort=played`), [second, first, third]);
  });

  it('is paged without repeating or losing a space while others are added', async () => {
    const word = newWord();
    const before: string[] = [];
    for (let count = 0; count < 7; count++) before.push((await listed({ title: `${word} ${count}` })).slug);
    for (const sort of ['new', 'played']) {
      const seen: string[] = [];
      let next: string | null = null;
      do {
        const cursor: string = next === null ? '' : `&cursor=${next}`;
        const answer = (await get(`/api/gallery?q=${word}&sort=${sort}&limit=2${cursor}`)).json();
        seen.push(...answer.spaces.map(({ slug }: { slug: string }) => slug));
        next = answer.next;
        await listed({ title: 'Another' });
      } while (next !== null);
      assert.equal(new Set(seen).size, seen.length);
      assert.deepEqual(seen.toSorted(), before.toSorted());
      if (sort === 'new') assert.deepEqual(seen, before.toReversed());
    }
  });

  it('refuses a wrong query parameter by name', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'sort=worst',
      'tag=Puzzle',
      'tag=a',
      'space_type=film',
      'cursor=x',
      'order=1',
      'q=%00',
    ]) {
      const answer = await get(`/api/gallery?${query}`);
      assert.deepEqual(codeOf(answer), [422, 'invalid'], query);
      assert.ok(answer.json().issues.length > 0);
    }
    for (const path of ['nowhere', 'nowhere/players/ada'])
      assert.deepEqual(codeOf(await get(`/api/gallery/${path}`)), [404, 'not_found'], path);
    assert.deepEqual(codeOf(await service.anonymous.call('POST', '/api/gallery', {})), [
      405,
      'method_not_allowed',
    ]);
  });

  it('describes a page to services that embed links', async () => {
    const { slug, service_url } = await listed({ title: 'Linked' });
    const { db } = service.service.platform.database;
    const clip = { path: '/clips/1.webp', width: 640, height: 360, take: 1, takenAt: 0 };
    await db
      .updateTable('spaces')
      .set({ clip: toJson(clip) })
      .where('slug', '=', slug)
      .execute();
    const oembed = (url: string, more = '') => get(`/oembed?url=${encodeURIComponent(url)}${more}`);
    const answer = await oembed(service_url, '&format=json');
    assert.equal(answer.status, 200, answer.text());
    const described = {
      version: '1.0',
      type: 'link',
      title: 'Linked',
      author_name: creator.handle,
      author_url: `${service.baseUrl}/@${creator.handle}`,
      provider_name: 'Spaceport',
      provider_url: service.baseUrl,
      cache_age: 3600,
    };
    const thumbnail = {
      thumbnail_url: `${service.baseUrl}/clips/1.webp`,
      thumbnail_width: 640,
      thumbnail_height: 360,
    };
    assert.deepEqual(answer.json(), { ...described, ...thumbnail });
    // WordPress asks for the width of its column.
    assert.deepEqual((await oembed(service_url, '&maxwidth=639')).json(), {
      ...described,
      thumbnail_url: `${service.baseUrl}/clips/1-small.webp`,
      thumbnail_width: 320,
      thumbnail_height: 180,
    });
    assert.deepEqual((await oembed(service_url, '&maxwidth=319')).json(), described);
    assert.deepEqual((await oembed(service_url.toUpperCase().replace('HTTP', 'http'))).json(), answer.json());
    const bare = await listed({ title: 'Unpictured' });
    assert.equal((await oembed(bare.service_url)).json().thumbnail_url, `${service.baseUrl}/card.png`);
    assert.deepEqual((await oembed(service_url, '&maxwidth=640&maxheight=360')).json(), answer.json());
    for (const url of ['https://example.com/s/linked', `${service.baseUrl}/`, `${service.baseUrl}/s/nowhere`])
      assert.deepEqual(codeOf(await oembed(url)), [404, 'not_found'], url);
    for (const query of ['', '?url=x', `?url=${encodeURIComponent(service_url)}&format=xml`])
      assert.deepEqual(codeOf(await get(`/oembed${query}`)), [422, 'invalid'], query);
    assert.equal((await get(`/api/gallery/${slug}`)).json().clip.taken_at, '1970-01-01T00:00:00.000Z');
  });
});
