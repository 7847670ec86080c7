import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { askUntil } from '../../test/ask-until.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { withoutLockWaits } from '../../test/lock-waits.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { findSpaceBySlug, lockSpace } from '../spaces/spaces.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ownPage = { 'sec-fetch-site': 'same-origin' };

describe('counting plays', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000' } });
    creator = await service.creator();
  });
  after(() => service.close());

  const play = (slug: string, headers: Record<string, string> = {}) =>
    service.anonymous.call('POST', `/api/gallery/${slug}/plays`, undefined, {
      'user-agent': browser,
      ...ownPage,
      ...headers,
    });
  const playsOf = async (slug: string) =>
    (await service.anonymous.call('GET', `/api/gallery/${slug}`)).json().plays;
  const daysOf = async (slug: string) =>
    service.service.platform.database.db
      .selectFrom('space_days')
      .innerJoin('spaces', 'spaces.id', 'space_days.space_id')
      .select(['space_days.day', 'space_days.plays'])
      .where('spaces.slug', '=', slug)
      .orderBy('space_days.day')
      .execute();

  it('counts a visitor once in half an hour, and returns the count', async () => {
    const { slug } = (await publishLive(service, creator)).space;
    const first = await play(slug);
    assert.deepEqual([first.status, first.json()], [202, { counted: true }]);
    for (let again = 0; again < 5; again++) assert.deepEqual((await play(slug)).json(), { counted: false });
    assert.equal(await playsOf(slug), 1);
    service.clock.advance({ minutes: 31 });
    assert.deepEqual((await play(slug)).json(), { counted: true });
    assert.equal(await playsOf(slug), 2);
  });

  it('counts by day', async () => {
    const { slug } = (await publishLive(service, creator)).space;
    await play(slug);
    await play(slug, { 'user-agent': `${browser} another` });
    service.clock.advance({ days: 1 });
    await play(slug);
    assert.deepEqual(
      (await daysOf(slug)).map(({ plays }) => plays),
      [2, 1],
    );
  });

  it('counts every request of many at once', async () => {
    const { slug } = (await publishLive(service, creator)).space;
    const agents = Array.from({ length: 30 }, (_, number) => `${browser} ${number}`);
    await Promise.all(agents.map((agent) => play(slug, { 'user-agent': agent })));
    assert.equal(await playsOf(slug), 30);
    assert.equal(
      (await daysOf(slug)).reduce((sum, { plays }) => sum + plays, 0),
      30,
    );
  });

  it('lets no other space wait while one is locked, and counts its plays afterwards', {
    skip: withoutLockWaits,
  }, async () => {
    const [busy, free] = [
      (await publishLive(service, creator)).space.slug,
      (await publishLive(service, creator)).space.slug,
    ];
    const { database } = service.service.platform;
    const space = await findSpaceBySlug(database.db, busy);
    assert.ok(space);
    await database.transaction(async (tx) => {
      await lockSpace(tx, space.id);
      const first = play(busy);
      assert.deepEqual((await play(free)).json(), { counted: true });
      assert.deepEqual((await first).json(), { counted: true });
      assert.deepEqual([await playsOf(busy), await playsOf(free)], [0, 1]);
    });
    const counted = () =>
      database.db.selectFrom('spaces').select('plays').where('id', '=', space.id).execute();
    await askUntil(counted, ([row]) => row?.plays === 1);
    assert.deepEqual(
      (await daysOf(busy)).map(({ plays }) => plays),
      [1],
    );
  });

  it('accepts requests from the service’s own pages only', async () => {
    const { slug } = (await publishLive(service, creator)).space;
    const origin = new URL(service.service.platform.urls.live(slug)).origin;
    const others: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin },
    ];
    for (const headers of others) assert.deepEqual(codeOf(await play(slug, headers)), [403, 'cross_site']);
    const unsaid = await service.anonymous.call('POST', `/api/gallery/${slug}/plays`, undefined, {
      'user-agent': browser,
    });
    assert.deepEqual(codeOf(unsaid), [403, 'cross_site']);
    assert.equal(await playsOf(slug), 0);
    assert.deepEqual(await daysOf(slug), []);
  });

  it('counts nothing for spaces that cannot be opened', async () => {
    const { slug } = (await publishFiles(creator, smallGame)).space;
    for (const path of [slug, 'never-there'])
      assert.deepEqual(codeOf(await play(path)), [404, 'not_found'], path);
    assert.deepEqual(await daysOf(slug), []);
  });

  it('stores nothing about the player', async () => {
    const { slug } = (await publishLive(service, creator)).space;
    const mark = 'mark-of-one-visitor';
    await play(slug, { 'user-agent': `${browser} ${mark}` });
    const { db } = service.service.platform.database;
    for (const table of ['spaces', 'space_days', 'rate_hits', 'jobs'] as const) {
      const rows = await db.selectFrom(table).selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(mark), table);
    }
    assert.ok(!JSON.stringify(await db.selectFrom('space_days').selectAll().execute()).includes('127.0.0.1'));
  });
});
