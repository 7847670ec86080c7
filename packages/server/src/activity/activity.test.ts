import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Activity } from '@spaceport/contract/activity';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import { newId } from '../platform/secrets/id.ts';
import { dayOf, daysUntil } from './days.ts';

const dayMs = 86_400_000;

describe('the activity of a space', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Makes a space with two live boards and one in the sandbox. */
  async function spaceOf(creator: Persona) {
    const { slug } = (await publishLive(service, creator)).space;
    const { db } = service.service.platform.database;
    const { id } = await db
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    const boards = { live: newId('brd'), second: newId('brd'), sandbox: newId('brd') };
    for (const [name, env, key] of [
      ['live', 'live', 'points'],
      ['second', 'live', 'laps'],
      ['sandbox', 'sandbox', 'points'],
    ] as const)
      await db
        .insertInto('boards')
        .values({
          id: boards[name],
          space_id: id,
          env,
          key,
          title: 'Points',
          metric: 'score',
          sort: 'desc',
          trust: 'client',
          keep: 'best',
          unit: null,
          decimals: 0,
          min: null,
          max: null,
          periods: toJson(['all']),
          source: 'api',
          created_at: 0,
          updated_at: 0,
        })
        .execute();
    // Scores of earlier days have to be written directly to the database.
    const post = (player: string, at: number, board: keyof typeof boards = 'live') =>
      db
        .insertInto('submissions')
        .values({
          board_id: boards[board],
          player_id: givenId('usr', player),
          score: 1,
          meta: null,
          created_at: at,
        })
        .execute();
    const play = (day: string, plays: number) =>
      db.insertInto('space_days').values({ space_id: id, day, plays }).execute();
    const bornAt = (at: number) =>
      db.updateTable('spaces').set({ created_at: at }).where('id', '=', id).execute();
    return { id, slug, boards, post, play, bornAt };
  }
  const read = async (who: Persona, slug: string, days = 30): Promise<Activity> => {
    const answer = await who.call('GET', `/api/spaces/${slug}/activity?days=${days}`);
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  };

  it('is counted by day, without gaps, up to today', async () => {
    const creator = await service.creator();
    const space = await spaceOf(creator);
    const now = service.clock.now();
    await space.bornAt(now - 60 * dayMs);
    await space.play(dayOf(now - 2 * dayMs), 12);
    for (const player of ['a', 'b']) await space.post(player, now - 2 * dayMs);
    await space.post('a', now - 2 * dayMs, 'second');
    await space.post('a', now);
    await space.post('z', now, 'sandbox');
    const { days, before: sum } = await read(creator, space.slug);
    assert.deepEqual(
      days.map(({ day }) => day),
      daysUntil(dayOf(now), 30),
    );
    assert.deepEqual(days.at(-3), { day: dayOf(now - 2 * dayMs), plays: 12, players: 2, scores: 3 });
    assert.deepEqual(days.at(-1), { day: dayOf(now), plays: 0, players: 1, scores: 1 });
    assert.ok(days.slice(0, -3).every(({ plays, players, scores }) => plays + players + scores === 0));
    assert.deepEqual(sum, { plays: 0, players: 0, scores: 0 });
  });

  it('includes the sum of the same number of days before', async () => {
    const creator = await service.creator();
    const space = await spaceOf(creator);
    const now = service.clock.now();
    await space.bornAt(now - 60 * dayMs);
    await space.play(dayOf(now - 8 * dayMs), 4);
    for (const [player, ago] of [
      ['a', 7],
      ['a', 8],
      ['b', 8],
      ['c', 14],
      ['d', 6],
    ] as const)
      await space.post(player, now - ago * dayMs);
    const { days, before: sum } = await read(creator, space.slug, 7);
    assert.equal(days.length, 7);
    assert.equal(days[0]?.scores, 1);
    assert.deepEqual(sum, { plays: 4, players: 3, scores: 3 });
  });

  it('keeps the counts of past days, and counts today again', async () => {
    const creator = await service.creator();
    const space = await spaceOf(creator);
    // In the first minutes of a day, yesterday is counted again.
    service.clock.advance({ seconds: (1.5 * dayMs - (service.clock.now() % dayMs)) / 1000 });
    const now = service.clock.now();
    await space.bornAt(now - 60 * dayMs);
    await space.post('a', now - dayMs);
    await space.post('a', now);
    await read(creator, space.slug);
    const { db } = service.service.platform.database;
    await db.deleteFrom('submissions').where('board_id', '=', space.boards.live).execute();
    await space.post('b', now);
    await space.post('c', now);
    await space.play(dayOf(now), 5);
    const { days } = await read(creator, space.slug);
    assert.deepEqual(days.at(-2), { day: dayOf(now - dayMs), plays: 0, players: 1, scores: 1 });
    assert.deepEqual(days.at(-1), { day: dayOf(now), plays: 5, players: 2, scores: 2 });
  });

  it('counts yesterday again while its last scores may still arrive', async () => {
    const creator = await service.creator();
    const space = await spaceOf(creator);
    const now = service.clock.now();
    const midnight = now - (now % dayMs) + dayMs;
    service.clock.advance({ seconds: Math.ceil((midnight - now) / 1000) + 60 });
    await read(creator, space.slug);
    await space.post('late', midnight - 1);
    const { days } = await read(creator, space.slug);
    assert.equal(days.at(-2)?.scores, 1);
  });

  it('is counted for a space with one board', async () => {
    const creator = await service.creator();
    const space = await spaceOf(creator);
    const { db } = service.service.platform.database;
    await db.deleteFrom('boards').where('id', '=', space.boards.second).execute();
    const now = service.clock.now();
    for (const player of ['a', 'b', 'a']) await space.post(player, now);
    const { days } = await read(creator, space.slug);
    assert.deepEqual(days.at(-1), { day: dayOf(now), plays: 0, players: 2, scores: 3 });
  });

  it('is readable by the creator only, for 1 to 90 days', async () => {
    const creator = await service.creator();
    const stranger = await service.creator();
    const { slug } = await spaceOf(creator);
    const path = `/api/spaces/${slug}/activity`;
    assert.equal((await creator.call('GET', path)).json().days.length, 30);
    assert.equal((await creator.call('GET', `${path}?days=1`)).json().days.length, 1);
    assert.equal((await creator.call('GET', `${path}?days=90`)).json().days.length, 90);
    assert.deepEqual(codeOf(await stranger.call('GET', path)), [404, 'not_found']);
    assert.deepEqual(codeOf(await service.anonymous.call('GET', path)), [401, 'unauthorized']);
    for (const days of ['0', '91', 'many', '1.5']) {
      const refused = await creator.call('GET', `${path}?days=${days}`);
      assert.deepEqual([...codeOf(refused), refused.json().issues[0].path], [422, 'invalid', 'days'], days);
    }
  });
});
