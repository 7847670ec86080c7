import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { declaredOf, many } from '../../test/declared.ts';
import { listing } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

const block = (value: unknown) => `<script type="application/service+json">${JSON.stringify(value)}</script>`;

describe('the declarations of a listed page', () => {
  let pages: PageServer;
  let service: TestService;
  let creator: Persona;
  let declared: ReturnType<typeof declaredOf>;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
    declared = declaredOf(service, creator);
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  let nextPath = 0;
  async function listed(head: unknown) {
    const path = `/page-${nextPath++}`;
    const url = pages.put(path, proofTag(creator.handle) + block(head));
    const answer = await creator.call('POST', '/api/spaces', { url, ...listing });
    assert.equal(answer.status, 201, answer.text());
    const { slug } = answer.json();
    return {
      slug: slug as string,
      warning: answer.json().page_warning as string | null,
      change: (next: unknown) => pages.put(path, proofTag(creator.handle) + block(next)),
      sync: async () => {
        service.clock.advance({ hours: 24 });
        await service.settle();
      },
      verify: async () => {
        const verified = await creator.call('POST', '/api/spaces/verify', { slug });
        assert.equal(verified.status, 200);
        return verified.json().page_warning as string | null;
      },
    };
  }
  const good = {
    boards: [{ key: 'time', metric: 'time', title: 'Page' }],
    stats: [{ key: 'jumps', op: 'add' }],
    achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 100 } }],
  };

  it('take effect when the space is listed', async () => {
    const { slug } = await listed(good);
    const [board] = await declared.boards(slug);
    assert.deepEqual([board?.key, board?.title, board?.source], ['time', 'Page', 'page']);
    const { stats, achievements } = await declared.achievements(slug);
    assert.deepEqual(stats, [{ key: 'jumps', label: 'jumps', op: 'add' }]);
    assert.deepEqual(
      achievements.map(({ key }) => key),
      ['jumper'],
    );
    assert.deepEqual(await declared.sandbox(slug), {
      boards: ['time'],
      stats: ['jumps'],
      achievements: ['jumper'],
    });
  });

  it('are replaced by a later write of the API, and take the key back with the next sync', async () => {
    const { slug, sync } = await listed(good);
    assert.equal((await declared.put(slug, [{ key: 'time', title: 'Api' }, { key: 'more' }])).status, 200);
    assert.deepEqual(await declared.sources(slug), ['time:api', 'more:api']);
    await sync();
    const [time] = await declared.boards(slug);
    assert.deepEqual([time?.title, time?.source], ['Page', 'page']);
    assert.deepEqual(await declared.sources(slug), ['time:page', 'more:api'], 'what it does not name stays');
  });

  it('delete nothing, and create a deleted key again', async () => {
    const { slug, change, sync, verify } = await listed(good);
    change({ boards: [{ key: 'other' }] });
    await verify();
    assert.deepEqual(await declared.sources(slug), ['time:page', 'other:page']);
    await declared.drop(slug, 'other');
    assert.deepEqual(await declared.sources(slug), ['time:page']);
    await sync();
    assert.deepEqual(await declared.sources(slug), ['time:page', 'other:page']);
  });

  it('take effect when the space is moved', async () => {
    const { slug } = await listed(good);
    const url = pages.put(
      `/page-${nextPath++}`,
      proofTag(creator.handle) + block({ boards: [{ key: 'moved' }] }),
    );
    assert.equal((await creator.call('POST', `/api/spaces/${slug}/move`, { url })).status, 200);
    assert.deepEqual(await declared.sources(slug), ['time:page', 'moved:page']);
  });

  it('change nothing when they pass a cap, and the owner is told', async () => {
    const { slug, change, verify } = await listed(good);
    await declared.put(slug, many(9));
    const before = [await declared.boards(slug), await declared.achievements(slug)];
    change({
      ...good,
      boards: [{ key: 'time', title: 'Changed' }, { key: 'eleventh' }],
      stats: [{ key: 'new' }],
    });
    assert.match((await verify()) ?? '', /11 boards, of at most 10/u);
    assert.deepEqual([await declared.boards(slug), await declared.achievements(slug)], before);
    await declared.drop(slug, 'k0');
    assert.equal(await verify(), null);
    assert.deepEqual((await declared.boards(slug)).map(({ key }) => key).slice(-1), ['eleventh']);
  });

  it('change nothing when a trigger names no stat', async () => {
    const { slug, change, verify } = await listed(good);
    const achievements = [{ key: 'lost', trigger: { stat: 'unheard', atLeast: 1 } }];
    change({ boards: [{ key: 'new' }], achievements });
    assert.match((await verify()) ?? '', /achievements\.0\.trigger\.stat names «unheard»/u);
    assert.deepEqual(await declared.sources(slug), ['time:page']);
    await declared.putAchievements(slug, { stats: [{ key: 'unheard' }] });
    assert.equal(await verify(), null, 'by the API it is a stat of the space now');
    assert.deepEqual(await declared.sources(slug), ['time:page', 'new:page']);
  });
});
