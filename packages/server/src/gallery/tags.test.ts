import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';

describe('tags', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    creator = await service.creator();
  });
  after(() => service.close());

  const publish = async (title: string, tags: string[], more: object = {}, who = creator) =>
    (
      await publishLive(service, who, smallGame, {
        fields: { ...listing, devices: ['desktop'], title, tags, ...more },
      })
    ).space.slug;
  const list = async (query: string) => {
    const answer = await service.anonymous.call('GET', `/api/gallery${query}`);
    assert.equal(answer.status, 200, answer.text());
    return answer.json() as { spaces: { slug: string }[]; next: string | null };
  };
  const slugs = async (query: string) => (await list(query)).spaces.map(({ slug }) => slug);
  const patch = (slug: string, body: object) => creator.call('PATCH', `/api/spaces/${slug}`, body);

  it('are set by a publish, shown in every read, and changed with a patch', async () => {
    const slug = await publish('Lamps', ['cosy', 'one-button']);
    const tags = async (path: string) => (await creator.call('GET', path)).json().tags as string[];
    for (const path of [`/api/spaces/${slug}`, `/api/gallery/${slug}`])
      assert.deepEqual(await tags(path), ['cosy', 'one-button']);
    assert.deepEqual(await slugs('?tag=one-button'), [slug]);
    const changed = await patch(slug, { tags: ['cosy', 'light'] });
    assert.deepEqual(changed.json().tags, ['cosy', 'light']);
    assert.deepEqual(await slugs('?tag=one-button'), []);
    assert.deepEqual(await slugs('?tag=light'), [slug]);
    await patch(slug, { tags: [] });
    assert.deepEqual(await tags(`/api/gallery/${slug}`), []);
    assert.deepEqual(await slugs('?tag=light'), []);
  });

  it('are refused by name when they are invalid', async () => {
    const bad = [
      ['Puzzle'],
      ['a'],
      ['a'.repeat(25)],
      ['two players'],
      ['twice', 'twice'],
      ['日本'],
      'puzzle',
    ];
    for (const tags of [...bad, Array.from({ length: 9 }, (_, index) => `tag-${index}`)]) {
      const answer = await creator.call('POST', '/api/v1/hosting/versions', {
        fields: { ...listing, tags },
        files: fileEntries(smallGame),
      });
      assert.equal(answer.status, 422, JSON.stringify(tags));
      assert.match(answer.json().issues[0].path, /^fields\.tags/u);
    }
  });

  it('list the spaces that have them, by type, age and plays, in pages', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.push(await publish(`Paged ${count}`, ['paged'], { space_type: count % 2 === 0 ? 'toy' : 'game' }));
      service.clock.advance({ minutes: 1 });
    }
    const { db } = service.service.platform.database;
    for (const [index, slug] of made.entries())
      await db
        .updateTable('spaces')
        .set({ plays: (index * 3) % 5 })
        .where('slug', '=', slug)
        .execute();
    const newest = made.toReversed();
    const played = [3, 1, 4, 2, 0].map((index) => made[index]);
    assert.deepEqual(await slugs('?tag=paged'), newest);
    assert.deepEqual(await slugs('?tag=paged&sort=best'), newest);
    assert.deepEqual(await slugs('?tag=paged&sort=played'), played);
    assert.deepEqual(await slugs('?tag=paged&space_type=game'), [made[3], made[1]]);
    assert.deepEqual((await slugs('?tag=paged&q=paged')).toSorted(), made.toSorted());
    for (const [sort, expected] of [
      ['new', newest],
      ['played', played],
    ] as const) {
      const seen: string[] = [];
      let next: string | null = null;
      do {
        const cursor: string = next === null ? '' : `&cursor=${next}`;
        const page = await list(`?tag=paged&sort=${sort}&limit=2${cursor}`);
        seen.push(...page.spaces.map(({ slug }) => slug));
        next = page.next;
      } while (next !== null);
      assert.deepEqual(seen, expected, sort);
    }
  });

  it('link from cards and pages of spaces to other spaces with the same tag', async () => {
    const slug = await publish('Linked', ['linked-up']);
    const read = async (path: string) => (await service.get(`${service.baseUrl}${path}`)).text();
    for (const path of ['/?tag=linked-up', `/s/${slug}`])
      assert.match(await read(path), /<a href="\/\?tag=linked-up">#(?:<!-- -->)?linked-up<\/a>/u, path);
    assert.match(await read('/?tag=linked-up'), new RegExp(`/s/${slug}"`, 'u'));
    assert.match(await read('/?tag=nothing-has-it'), /Nothing tagged #nothing-has-it yet/u);
    // A mistyped address still opens.
    assert.equal((await service.get(`${service.baseUrl}/?tag=NO+TAG`)).status, 200);
  });

  it('and words match the current title of a space, and no hidden space', async () => {
    const slug = await publish('Quokka', ['marsupial']);
    const found = async () => (await slugs('?q=quokka')).length + (await slugs('?tag=marsupial')).length;
    assert.equal(await found(), 2);
    for (const [action, times] of [
      ['offline', 0],
      ['online', 2],
    ] as const) {
      assert.equal((await creator.call('POST', `/api/spaces/${slug}/${action}`)).status, 200);
      assert.equal(await found(), times, action);
    }
    assert.equal((await creator.call('DELETE', `/api/spaces/${slug}`)).status, 200);
    assert.equal(await found(), 0);
    assert.equal((await creator.call('POST', `/api/spaces/${slug}/restore`)).status, 200);
    assert.equal(await found(), 2);
    assert.deepEqual(codeOf(await patch(slug, { title: 'Wombat' }))[0], 200);
    assert.deepEqual([await slugs('?q=quokka'), await slugs('?q=wombat')], [[], [slug]]);
  });

  it('match no space of a banned creator until the ban is lifted', async () => {
    const operator = await service.creator('operator_1', { operator: true });
    const banned = await service.creator('narwhal_maker');
    const slug = await publish('Tusk', ['arctic'], {}, banned);
    const found = async () => [...(await slugs('?q=narwhal')), ...(await slugs('?tag=arctic'))];
    assert.deepEqual(await found(), [slug, slug]);
    const ban = (action: string) =>
      operator.call('POST', `/api/operator/accounts/narwhal_maker/${action}`, { reason: 'a test' });
    assert.equal((await ban('ban')).status, 200);
    assert.deepEqual(await found(), []);
    assert.equal((await ban('unban')).status, 200);
    assert.deepEqual(await found(), [slug, slug]);
  });

  it('and a creator’s new name match the creator’s spaces at once', async () => {
    const who = await signUp(service, { handle: 'renamed_one' });
    const { platform } = service.service;
    const { id } = await platform.database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'renamed_one')
      .executeTakeFirstOrThrow();
    const slug = await publish('Named after', []);
    await platform.database.db.updateTable('spaces').set({ owner_id: id }).where('slug', '=', slug).execute();
    const renamed = await who.call('PATCH', '/api/account', { name: 'Xylophanes' });
    assert.equal(renamed.status, 200, renamed.text());
    assert.deepEqual(await slugs('?q=xylophanes'), [slug]);
  });

  it('accept any query without a fault', async () => {
    for (const q of [
      '"',
      "'",
      '*',
      'a" OR "b',
      'NEAR(a b)',
      '(((',
      'tokens:moon',
      '^moon',
      '{a b}',
      '--',
      '\\',
      '%',
      'é'.repeat(100),
      '🧩'.repeat(100),
      '日本語'.repeat(33),
    ])
      assert.ok(Array.isArray((await list(`?q=${encodeURIComponent(q)}`)).spaces), q);
    const tooLong = await service.anonymous.call('GET', `/api/gallery?q=${'a'.repeat(101)}`);
    assert.deepEqual(codeOf(tooLong), [422, 'invalid']);
  });
});
