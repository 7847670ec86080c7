import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { actingBetween } from '../../test/between.ts';
import { addCrowd } from '../../test/crowd.ts';
import { startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { withoutAccount } from '../../test/without-account.ts';
import { toJson } from '../platform/db/json.ts';
import { newId } from '../platform/secrets/id.ts';
import { sweepUnlistedPages } from './expiry.ts';
import { findExpiredPages } from './unlisted.queries.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

it('a page without an account is deleted in time although another one cannot be', async () => {
  const { published } = withoutAccount(() => service);
  for (const title of ['one', 'another']) await published(title);
  service.clock.advance({ days: 8 });
  const { platform } = service.service;
  const left = async () => (await findExpiredPages(platform.database.db, platform.clock.now(), 10)).length;
  assert.equal(await left(), 2);
  let isFirst = true;
  const swept = sweepUnlistedPages(
    actingBetween(platform, async () => {
      if (!isFirst) return;
      isFirst = false;
      throw new Error('canceling statement due to statement timeout');
    }),
  );
  await assert.rejects(swept, /1 pages were not deleted/u);
  assert.equal(await left(), 1);
  await sweepUnlistedPages(platform);
  assert.equal(await left(), 0);
});

it('a page that is gone is not looked at again by any sweep, and its token goes on to say that it has expired', async () => {
  const { published } = withoutAccount(() => service);
  const who = await signUp(service, { handle: 'claims_late' });
  const { claim } = await published('gone');
  service.clock.advance({ days: 8 });
  const { platform } = service.service;
  const { db } = platform.database;
  const lookedAt = () =>
    db
      .selectFrom('unlisted_pages')
      .select('space_id')
      .where('claimed_at', 'is', null)
      .where('expires_at', '>=', 0)
      .where('expires_at', '<=', platform.clock.now())
      .execute();
  assert.equal((await lookedAt()).length, 1);
  await sweepUnlistedPages(platform);
  assert.deepEqual(await lookedAt(), []);
  const late = await who.call('POST', '/api/account/claim', { claim_token: claim });
  assert.deepEqual(codeOf(late), [410, 'claim_expired']);
});

it('a page that many have played is deleted in pieces, is claimed no more then, and is deleted to the end after a crash', async () => {
  const { published } = withoutAccount(() => service);
  const { platform } = service.service;
  const who = await signUp(service, { handle: 'too_late' });
  const { claim, space } = await published('popular');
  const scores = 12_000;
  await fill(space.slug, scores);
  service.clock.advance({ days: 8 });
  let pieces = 0;
  let isDying = true;
  const dying = actingBetween(platform, async () => {
    pieces += 1;
    if (!isDying || (await counts())[0] === scores) return;
    isDying = false;
    throw new Error('the process died');
  });
  await assert.rejects(sweepUnlistedPages(dying), /1 pages were not deleted/u);
  const [submissions = 0] = await counts();
  assert.ok(submissions > 0 && submissions < scores, `${submissions} submissions are left`);
  // Not even by the clock of a node that lags behind.
  service.clock.advance({ days: -8 });
  const late = await who.call('POST', '/api/account/claim', { claim_token: claim });
  assert.equal(late.status, 410, late.text());
  service.clock.advance({ days: 8 });

  assert.equal(await sweepUnlistedPages(dying), 1);
  // No transaction deletes more than five thousand rows of a table.
  assert.ok(pieces >= 6, `${pieces} pieces`);
  assert.deepEqual(await counts(), [0, 0]);
  assert.equal((await who.call('POST', '/api/account/claim', { claim_token: claim })).status, 410);
});

/** Returns the numbers of submissions and of stats. */
async function counts(): Promise<number[]> {
  const { db } = service.service.platform.database;
  return Promise.all(
    (['submissions', 'player_stats'] as const).map(async (table) => {
      const counted = db.selectFrom(table as 'submissions').select(({ fn }) => fn.countAll().as('count'));
      return Number((await counted.executeTakeFirstOrThrow()).count);
    }),
  );
}

/** Gives a page a board in its sandbox with scores of as many players, each with a stat. */
async function fill(slug: string, count: number): Promise<void> {
  const { platform } = service.service;
  const { db } = platform.database;
  const { id } = await db
    .selectFrom('spaces')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const board = newId('brd');
  await db
    .insertInto('boards')
    .values({
      id: board,
      space_id: id,
      env: 'sandbox',
      key: 'crowd',
      title: 'Crowd',
      metric: 'score',
      sort: 'desc',
      trust: 'client',
      keep: 'best',
      unit: null,
      decimals: 0,
      min: null,
      max: null,
      min_seconds: null,
      max_per_second: null,
      periods: toJson<['all']>(['all']),
      source: 'api',
      created_at: 1,
      updated_at: 1,
    })
    .execute();
  await addCrowd(platform, { slug, spaceId: id, env: 'sandbox', boardId: board }, count);
}
