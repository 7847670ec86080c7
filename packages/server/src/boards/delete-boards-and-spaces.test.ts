import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf, onceFree } from '../../test/answers.ts';
import { makeArena, makePlayers } from '../../test/arena.ts';
import { publishFiles, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import { hashSecret, issueSecret } from '../platform/secrets/secret.ts';

const boards = [{ key: 'points', periods: ['all' as const, 'day' as const] }, { key: 'coins' }];
const stats = [{ key: 'jumps' }];
const achievements = [{ key: 'founder' }, { key: 'jumper', trigger: { stat: 'jumps', atLeast: 1 } }];

describe('deleting boards and pages', () => {
  let service: TestService;
  let players: string[];
  before(async () => {
    // With few entries in a run, there are many runs.
    service = await startService({ environment: { RANK_SEGMENT_SIZE: '2' } });
    players = await makePlayers(service, 12);
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  /** Counts the rows of every table of rankings, for all spaces. */
  async function rankingRows(): Promise<number[]> {
    const counts = [];
    for (const table of ['submissions', 'rankings', 'entries', 'ranking_segments'] as const)
      counts.push((await db().selectFrom(table).selectAll().execute()).length);
    return counts;
  }
  /** Counts the rows of every table that belong to a space. */
  async function spaceRows(spaceId: SpaceId): Promise<number[]> {
    const counts = [];
    for (const table of [
      'boards',
      'stats',
      'achievements',
      'player_stats',
      'unlocks',
      'board_secrets',
      'idempotent_answers',
    ] as const) {
      const rows = await db().selectFrom(table).select('space_id').where('space_id', '=', spaceId).execute();
      counts.push(rows.length);
    }
    return counts;
  }
  const scores = (board: string, sandbox: boolean) => ({
    scores: players.map((player, score) => ({ board, player, score, sandbox })),
  });

  it('deletes every row of a board, and leaves other boards unchanged', async () => {
    const before = await rankingRows();
    const arena = await makeArena(service, boards);
    for (const sandbox of [false, true]) await arena.post(scores('coins', sandbox));
    const without = await rankingRows();
    for (const sandbox of [false, true])
      assert.equal((await arena.post(scores('points', sandbox))).status, 201);
    const full = await rankingRows();
    // Both rankings, live and in the sandbox.
    assert.deepEqual(
      full.slice(0, 3).map((count, index) => count - (without[index] ?? 0)),
      [24, 4, 48],
    );
    const path = `/api/spaces/${arena.slug}/boards`;
    const deleted = await arena.creator.call('DELETE', `${path}/points`);
    assert.deepEqual(deleted.json(), { deleted: true, entries: 12 });
    assert.deepEqual(await rankingRows(), without);
    assert.deepEqual(codeOf(await arena.entries('points')), [404, 'not_found']);
    assert.deepEqual(codeOf(await arena.post({ board: 'points', player: players[0], score: 1 })), [
      404,
      'not_found',
    ]);
    assert.equal((await arena.entries('coins')).json().total, 12);
    await arena.putBoards(boards);
    assert.equal((await arena.entries('points')).json().total, 0, 'one of that name is a new one');
    assert.equal((await arena.score('points', players[0] ?? '', 1)).rank, 1);
    for (const { key } of boards) await arena.creator.call('DELETE', `${path}/${key}`);
    assert.deepEqual(await rankingRows(), before);
  });

  it('deletes every row of a board also while scores are posted to it', async () => {
    const before = await rankingRows();
    const arena = await makeArena(service, boards);
    const path = `/api/spaces/${arena.slug}/boards/points`;
    const [answers, ...deleted] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => onceFree(() => arena.post(scores('points', false))))),
      ...Array.from({ length: 3 }, () => onceFree(() => arena.creator.call('DELETE', path))),
    ]);
    for (const { status } of answers) assert.ok(status === 201 || status === 404, String(status));
    assert.deepEqual(deleted.map(({ status }) => status).toSorted(), [200, 404, 404]);
    assert.deepEqual(await rankingRows(), before);
  });

  it('deletes all scores, stats and unlocks of an unclaimed page when it expires', async () => {
    const before = await rankingRows();
    const nobody = { handle: '', token: '', ...service.anonymous };
    const { slug } = (await publishFiles(nobody, smallGame, { boards, stats, achievements })).space;
    const { id } = await db()
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    // A page without an account is issued no secret, so the test writes one, to post
    // on behalf of the page's players.
    const secret = issueSecret('secret');
    const row = { space_id: id, hash: hashSecret(secret), created_at: 1, rotated_at: null };
    await db().insertInto('board_secrets').values(row).execute();
    const post = (where: string, body: object) =>
      service.anonymous.call('POST', `/api/v1/${where}`, body, {
        authorization: `Bearer ${secret}`,
        'idempotency-key': where,
      });
    const [player = ''] = players;
    assert.equal((await post('scores', scores('points', false))).status, 201);
    assert.equal((await post('stats', { stat: 'jumps', player, value: 1 })).status, 200);
    assert.equal((await post('achievements', { achievement: 'founder', player })).status, 200);
    const envs = await db().selectFrom('unlocks').select('env').where('space_id', '=', id).execute();
    assert.deepEqual(
      envs.map(({ env }) => env),
      ['sandbox', 'sandbox'],
      'a page without an account has sandbox data only',
    );
    assert.deepEqual(await spaceRows(id), [2, 1, 2, 1, 2, 1, 3]);
    service.clock.advance({ days: 7, seconds: 1 });
    await service.service.sweep();
    assert.deepEqual(await spaceRows(id), [0, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(await rankingRows(), before);
    assert.deepEqual(codeOf(await post('stats', { stat: 'jumps', player, value: 1 })), [401, 'unauthorized']);
  });
});
