import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listing } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

const block = (value: unknown) =>
  `<script type="application/service+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`;

describe("a listed page's boards block", () => {
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
  async function listed(head: string) {
    const path = `/page-${nextPath++}`;
    const url = pages.put(path, proofTag(creator.handle) + head);
    const answer = await creator.call('POST', '/api/spaces', { url, ...listing });
    assert.equal(answer.status, 201, answer.text());
    return {
      path,
      slug: answer.json().slug as string,
      warning: answer.json().page_warning as string | null,
      change: (next: string) => pages.put(path, proofTag(creator.handle) + next),
    };
  }
  async function stored(slug: string): Promise<{ declared: unknown; warning: string | null }> {
    const row = await service.service.platform.database.db
      .selectFrom('page_declarations as page')
      .innerJoin('spaces as space', 'space.id', 'page.space_id')
      .select(['page.declared', 'page.warning'])
      .where('space.slug', '=', slug)
      .executeTakeFirstOrThrow();
    return { declared: row.declared === null ? null : JSON.parse(row.declared), warning: row.warning };
  }
  const verify = (slug: string) => creator.call('POST', '/api/spaces/verify', { slug });

  const good = {
    boards: [{ key: 'time', metric: 'time', periods: ['all', 'day'] }],
    stats: [{ key: 'jumps', op: 'add' }],
    achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 100 } }],
  };

  it('is read when the space is listed', async () => {
    const space = await listed(block(good));
    assert.equal(space.warning, null);
    assert.deepEqual(await stored(space.slug), { declared: good, warning: null });
    assert.deepEqual(await stored((await listed('')).slug), { declared: null, warning: null });
  });

  it('is read again when the space is verified or moved', async () => {
    const { slug, change } = await listed(block(good));
    const next = { boards: [{ key: 'score' }] };
    change(block(next));
    assert.equal((await verify(slug)).status, 200);
    assert.deepEqual((await stored(slug)).declared, next);
    const url = pages.put(`/page-${nextPath++}`, proofTag(creator.handle) + block({ stats: [] }));
    assert.equal((await creator.call('POST', `/api/spaces/${slug}/move`, { url })).status, 200);
    assert.deepEqual((await stored(slug)).declared, { stats: [] });
  });

  it('is read again once a day', async () => {
    const { slug, change, path } = await listed(block(good));
    const next = { boards: [{ key: 'daily' }] };
    change(block(next));
    const asked = pages.asked(path);
    await service.settle();
    assert.equal(pages.asked(path), asked);
    service.clock.advance({ hours: 24 });
    await service.settle();
    assert.equal(pages.asked(path), asked + 1);
    assert.deepEqual((await stored(slug)).declared, next);
    pages.put(path, { status: 500 });
    service.clock.advance({ hours: 24 });
    await service.settle();
    assert.deepEqual(await stored(slug), { declared: next, warning: null });
    change('');
    service.clock.advance({ hours: 24 });
    await service.settle();
    assert.deepEqual(await stored(slug), { declared: next, warning: null }, 'no block declares nothing new');
    assert.equal(pages.asked(path), asked + 3);
  });

  const bad: [string, unknown, RegExp][] = [
    ['is no JSON', '{ boards: [] }', /not JSON/u],
    ['reaches for prototypes', '{"__proto__": {"x": 1}}', /not JSON/u],
    ['is no object', '[]', /not valid/u],
    ['has an unknown part', { games: [] }, /games/u],
    ['has a wrong board', { boards: [{ key: 'a', sort: 'up' }] }, /boards\.0\.sort/u],
    [
      'declares a key twice',
      { stats: [{ key: 'a' }, { key: 'a' }] },
      /not valid: stats\.1\.key must not be declared twice; it is «a»\./u,
    ],
    [
      'has too many boards',
      { boards: Array.from({ length: 11 }, (_, index) => ({ key: `b${index}` })) },
      /at most 10 boards/u,
    ],
    ['wants an icon in the clear', { achievements: [{ key: 'a', icon: 'http://a.example/i.png' }] }, /icon/u],
  ];
  for (const [what, value, warning] of bad) {
    it(`changes nothing and warns the owner when it ${what}`, async () => {
      const { slug, change } = await listed(block(good));
      change(block(value));
      const answer = await verify(slug);
      assert.equal(answer.status, 200);
      assert.match(answer.json().page_warning, warning);
      const kept = await stored(slug);
      assert.deepEqual(kept.declared, good);
      assert.equal((await creator.call('GET', `/api/spaces/${slug}`)).json().page_warning, kept.warning);
      change(block(good));
      assert.equal((await verify(slug)).json().page_warning, null);
    });
  }

  it('is not read while the space is off the service, and is read again afterwards', async () => {
    const { slug, path } = await listed(block(good));
    const { db } = service.service.platform.database;
    const set = (state: 'held' | 'listed') =>
      db.updateTable('spaces').set({ state }).where('slug', '=', slug).execute();
    const asked = pages.asked(path);
    await set('held');
    service.clock.advance({ hours: 25 });
    await service.settle();
    assert.equal(pages.asked(path), asked);
    await set('listed');
    service.clock.advance({ hours: 25 });
    await service.settle();
    assert.equal(pages.asked(path), asked + 1);
  });
});
