import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sandboxCategories } from '@spaceport/contract/sandbox';
import { hostingCodeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { setBanned } from '../accounts/ban.ts';
import { toJson } from '../platform/db/json.ts';
import type { Env } from '../platform/db/schema.ts';
import { newId } from '../platform/secrets/id.ts';

/** Returns the status and the code of an answer of the hosting API. */

describe('resetting the sandbox', () => {
  let service: TestService;
  let creator: Persona;
  let ada: Persona;
  let bob: Persona;
  let slug: string;
  before(async () => {
    service = await startService();
    creator = await service.creator();
    ada = await service.creator('ada_plays');
    bob = await service.creator('bob_plays');
  });
  after(() => service.close());
  beforeEach(async () => {
    slug = (await publishLive(service, creator)).space.slug;
    await fill();
  });

  const db = () => service.service.platform.database.db;
  const idOf = async (handle: string) =>
    (await db().selectFrom('creators').select('id').where('handle', '=', handle).executeTakeFirstOrThrow())
      .id;
  const spaceId = async () =>
    (await db().selectFrom('spaces').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id;
  const reset = (body?: object, who: Pick<Persona, 'call'> = creator, of = slug) =>
    who.call('POST', `/api/v1/hosting/spaces/${of}/reset`, body);

  /**
   * Writes the same data in the sandbox and live: three scores, two stat values, one unlock, and
   * two records of each store.
   */
  async function fill(): Promise<void> {
    const boards = [{ key: 'points' }];
    const put = await creator.call('PUT', `/api/spaces/${slug}/boards`, { boards });
    assert.equal(put.status, 200, put.text());
    const declared = {
      stats: [{ key: 'jumps' }],
      achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 5 } }],
    };
    assert.equal((await creator.call('PUT', `/api/spaces/${slug}/achievements`, declared)).status, 200);
    const { secret } = (await creator.call('POST', `/api/spaces/${slug}/secret`)).json();
    const headers = { authorization: `Bearer ${secret}` };
    const post = (path: string, body: object) =>
      service.anonymous.call('POST', `/api/v1/${path}`, body, headers);
    for (const sandbox of [true, false]) {
      const scores = [
        { player: ada.handle, score: 5 },
        { player: ada.handle, score: 4 },
        { player: bob.handle, score: 3 },
      ];
      const body = { scores: scores.map((score) => ({ board: 'points', sandbox, ...score })) };
      const answer = await post('scores', body);
      assert.equal(answer.status, 201, answer.text());
      const stats = [
        { stat: 'jumps', player: ada.handle, value: 5, sandbox },
        { stat: 'jumps', player: bob.handle, value: 4, sandbox },
      ];
      assert.equal((await post('stats', { stats })).status, 200);
      for (const { handle } of [ada, bob]) await addRecords(sandbox ? 'sandbox' : 'live', handle);
    }
  }

  /** Adds the records of play besides scores and stats. */
  async function addRecords(env: Env, handle: string): Promise<void> {
    const now = service.clock.now();
    const whose = { space_id: await spaceId(), env, player_id: await idOf(handle) };
    await db()
      .insertInto('content')
      .values({
        ...whose,
        id: newId('cnt'),
        kind: 'level',
        title: '',
        data: toJson<unknown>(1),
        bytes: 1,
        digest: handle,
        likes: 0,
        created_at: now,
      })
      .execute();
    const id = newId('room');
    await db()
      .insertInto('rooms')
      .values({
        ...whose,
        id,
        code: id,
        max_members: 2,
        is_open: 0,
        is_locked: 0,
        member_count: 0,
        members: toJson({ members: [], host: null, barred: [] }),
        node_id: newId('node'),
        epoch: 1,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const saved = {
      slot: 'main',
      type: 'json' as const,
      bytes: 1,
      digest: 'x',
      device: '',
      at: now,
      data: '1',
    };
    await db()
      .insertInto('saves')
      .values({ ...whose, ...saved, version: now })
      .execute();
  }

  async function countIn(env: Env): Promise<number[]> {
    const id = await spaceId();
    const counts = [];
    for (const table of ['unlocks', 'player_stats', 'saves', 'content', 'rooms'] as const) {
      const rows = await db()
        .selectFrom(table)
        .select('player_id')
        .where('space_id', '=', id)
        .where('env', '=', env)
        .execute();
      counts.push(rows.length);
    }
    const submissions = await db()
      .selectFrom('submissions as submission')
      .innerJoin('boards as board', 'board.id', 'submission.board_id')
      .select('submission.id')
      .where('board.space_id', '=', id)
      .where('board.env', '=', env)
      .execute();
    return [submissions.length, ...counts];
  }
  const whole = [3, 1, 2, 2, 2, 2];

  it('deletes all of it, returns the counts, and leaves live data and declarations unchanged', async () => {
    const answer = await reset();
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(answer.json(), {
      deleted: { scores: 3, saves: 2, achievements: 3, content: 2, rooms: 2 },
    });
    assert.deepEqual(await countIn('sandbox'), [0, 0, 0, 0, 0, 0]);
    assert.deepEqual(await countIn('live'), whole);
    const again = await reset({});
    assert.deepEqual(
      again.json().deleted,
      Object.fromEntries(sandboxCategories.map((category) => [category, 0])),
    );
    const boards = await db()
      .selectFrom('boards')
      .select('env')
      .where('space_id', '=', await spaceId())
      .orderBy('env')
      .execute();
    assert.deepEqual(
      boards.map(({ env }) => env),
      ['live', 'sandbox'],
    );
  });

  it('deletes one category, and does not mention the others', async () => {
    const deleted = async (categories: string[]) => (await reset({ categories })).json().deleted;
    assert.deepEqual(await deleted(['rooms']), { rooms: 2 });
    assert.deepEqual(await deleted(['achievements']), { achievements: 3 });
    assert.deepEqual(await countIn('sandbox'), [3, 0, 0, 2, 2, 0]);
    assert.deepEqual(await deleted(['content', 'saves']), { content: 2, saves: 2 });
    assert.deepEqual(await deleted(['scores']), { scores: 3 });
    assert.deepEqual(await countIn('live'), whole);
  });

  it('deletes the data of one player, whose handle may be in any spelling', async () => {
    const answer = await reset({ player: '@Ada_Plays' });
    assert.deepEqual(answer.json().deleted, { scores: 2, saves: 1, achievements: 2, content: 1, rooms: 1 });
    assert.deepEqual(await countIn('sandbox'), [1, 0, 1, 1, 1, 1]);
    const scores = await reset({ player: bob.handle, categories: ['scores'] });
    assert.deepEqual(scores.json().deleted, { scores: 1 });
    assert.deepEqual(await countIn('live'), whole);
    assert.deepEqual((await reset({ player: bob.handle })).json().deleted, {
      scores: 0,
      saves: 1,
      achievements: 1,
      content: 1,
      rooms: 1,
    });
    // An account that never played here has nothing to delete.
    assert.deepEqual((await reset({ player: creator.handle })).json().deleted.scores, 0);
  });

  it('lets the next player who posts be first', async () => {
    await reset();
    const { secret } = (await creator.call('POST', `/api/spaces/${slug}/secret`)).json();
    const score = { board: 'points', player: bob.handle, score: 1, sandbox: true };
    const headers = { authorization: `Bearer ${secret}` };
    const answer = (await service.anonymous.call('POST', '/api/v1/scores', score, headers)).json();
    assert.deepEqual([answer.rank, answer.best, answer.entries], [1, 1, 1]);
  });

  it('counts each deleted record once when two resets are requested at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => reset()));
    const sum = answers.reduce((total, answer) => total + answer.json().deleted.scores, 0);
    assert.equal(sum, 3, answers.map((answer) => answer.text()).join('\n'));
  });

  it('is refused for another’s space, an unknown player and an unknown category', async () => {
    const stranger = await service.creator();
    assert.deepEqual(hostingCodeOf(await reset({}, stranger)), [403, 'not_owner']);
    assert.deepEqual(hostingCodeOf(await reset({}, service.anonymous)), [401, 'unauthorized']);
    assert.deepEqual(hostingCodeOf(await reset({}, creator, 'nowhere')), [404, 'not_found']);
    assert.deepEqual(hostingCodeOf(await reset({ player: 'nobody_at_all' })), [404, 'no_player']);
    for (const body of [
      { categories: ['hats'] },
      { categories: [] },
      { categories: ['saves', 'saves'] },
      { player: '!' },
      { everything: true },
    ]) {
      assert.deepEqual(hostingCodeOf(await reset(body)), [422, 'invalid_request'], JSON.stringify(body));
    }
    assert.deepEqual(await countIn('sandbox'), whole);
    const banned = await service.creator();
    const own = (await publishLive(service, banned)).space.slug;
    const { platform } = service.service;
    const id = await idOf(banned.handle);
    await platform.database.transaction((tx) => setBanned(tx, id, true));
    assert.deepEqual(hostingCodeOf(await reset({}, banned, own)), [403, 'forbidden']);
  });
});
