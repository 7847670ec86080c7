import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { actingBetween } from '../../test/between.ts';
import { startService, type TestService } from '../../test/service.ts';
import { postStats } from '../achievements/post-stats.ts';
import { postScores } from '../boards/post-scores.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';
import { type AccountId, givenId, type SpaceId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { LeasedJob } from '../platform/jobs/queue.ts';
import { createSpace } from '../spaces/spaces.ts';
import { createAccountStandingJobs } from './account-standing.ts';
import { forgetPlayer } from './forget-player.ts';

const spaces = 24;

describe('what is done in each space that a player has played', () => {
  let service: TestService;
  let spaceIds: SpaceId[];
  before(async () => {
    // Nothing is done by jobs besides.
    service = await startService({ role: 'serve' });
    for (const handle of ['maker', 'player', 'bystander']) await service.creator(handle);
    spaceIds = await makeSpaces();
    await play('player', 5);
    await play('bystander', 3);
  });
  after(() => service.close());

  const platform = () => service.service.platform;
  const db = () => platform().database.db;
  const idOf = async (handle: string): Promise<AccountId> =>
    (await db().selectFrom('creators').select('id').where('handle', '=', handle).executeTakeFirstOrThrow())
      .id;

  async function makeSpaces(): Promise<SpaceId[]> {
    const owner_id = await idOf('maker');
    const fields = { title: 'Moon', space_type: 'game' as const, devices: ['desktop' as const] };
    return platform().database.transaction(async (tx) => {
      const ids: SpaceId[] = [];
      for (let at = 0; at < spaces; at++) {
        const url = `https://example.org/${at}`;
        const { id } = await createSpace(tx, fields, {
          owner_id,
          hosted: 0,
          claimed: 1,
          url,
          slug: `moon-${at}`,
        });
        const row = {
          space_id: id,
          env: 'live' as const,
          source: 'api' as const,
          position: 0,
          created_at: 1,
        };
        await tx.db
          .insertInto('boards')
          .values({
            ...row,
            id: givenId('brd', `brd_${id}`),
            key: 'points',
            title: 'Points',
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
            periods: toJson(['all', 'day']),
            updated_at: 1,
          })
          .execute();
        await tx.db
          .insertInto('stats')
          .values({ ...row, key: 'hops', label: 'Hops', op: 'set' })
          .execute();
        await tx.db
          .insertInto('achievements')
          .values({
            ...row,
            key: 'hopper',
            title: 'Hopper',
            description: '',
            trigger_stat: 'hops',
            trigger_at_least: 1,
            icon: null,
            hidden: 0,
            points: 0,
          })
          .execute();
        ids.push(id);
      }
      return ids;
    });
  }

  async function play(handle: string, score: number): Promise<void> {
    const at = { env: 'live', player: { playerId: await idOf(handle), handle }, path: '' } as const;
    await platform().database.transaction(async (tx) => {
      const scores = [{ ...at, boardKey: 'points', score, meta: undefined }];
      await postScores(
        tx,
        spaceIds.map((spaceId) => ({ spaceId, scores })),
      );
      const posts = [{ ...at, stat: 'hops', value: score }];
      await postStats(
        tx,
        spaceIds.map((spaceId) => ({ spaceId, posts })),
        tx.now,
      );
    });
  }

  const ban = async (banned: boolean) =>
    db()
      .updateTable('creators')
      .set({ banned_at: banned ? 5 : null })
      .where('handle', '=', 'player')
      .execute();
  /** Returns how many entries, submissions, stats and unlocks a player has, and how many unlocks are counted. */
  const rowsOf = async (handle: string) => {
    const id = await idOf(handle);
    const counts: number[] = [];
    for (const table of ['entries', 'submissions', 'player_stats', 'unlocks'] as const) {
      const rows = db()
        .selectFrom(table as 'entries')
        .select('player_id')
        .where('player_id', '=', id);
      counts.push((await rows.execute()).length);
    }
    return counts;
  };
  const unlocks = async () => {
    const rows = await db().selectFrom('achievements').select('unlocks').execute();
    return rows.reduce((sum, row) => sum + row.unlocks, 0);
  };
  /** Counts transactions, and dies before one of them. */
  function counting(dies = Number.POSITIVE_INFINITY) {
    const seen = { transactions: 0 };
    const between = actingBetween(platform(), async () => {
      seen.transactions += 1;
      if (seen.transactions === dies) throw new Error('the process died');
    });
    return { seen, between };
  }
  const signal = new AbortController().signal;
  const rerank = async (between: ReturnType<typeof platform>) => {
    const [job] = createAccountStandingJobs(between);
    return job?.run({ ref: await idOf('player'), signal } as unknown as LeasedJob);
  };

  it('is done in a few transactions, and to the end after a crash between them', async () => {
    const whole = [2 * spaces, spaces, spaces, spaces];
    assert.deepEqual([await rowsOf('player'), await unlocks()], [whole, 2 * spaces]);
    await ban(true);
    await assert.rejects(rerank(counting(2).between), /died/u);
    const [entries = 0] = await rowsOf('player');
    assert.ok(entries > 0 && entries < 2 * spaces, `${entries} entries are left`);
    const { seen, between } = counting();
    await rerank(between);
    assert.ok(seen.transactions <= spaces / 2, `${seen.transactions} transactions`);
    assert.deepEqual([await rowsOf('player'), await unlocks()], [[0, spaces, spaces, spaces], spaces]);
    assert.deepEqual(await rowsOf('bystander'), whole);
    assert.deepEqual((await verifyRanks(platform())).differences, []);

    await ban(false);
    await rerank(platform());
    assert.deepEqual([await rowsOf('player'), await unlocks()], [whole, 2 * spaces]);
    assert.deepEqual((await verifyRanks(platform())).differences, []);
  });

  it('deletes all of a player likewise', async () => {
    const bystander = await rowsOf('bystander');
    const id = await idOf('player');
    await assert.rejects(forgetPlayer(counting(5).between, id, signal), /died/u);
    const { seen, between } = counting();
    await forgetPlayer(between, id, signal);
    assert.ok(seen.transactions <= spaces / 2, `${seen.transactions} transactions`);
    assert.deepEqual([await rowsOf('player'), await unlocks()], [[0, 0, 0, 0], spaces]);
    assert.deepEqual(await rowsOf('bystander'), bystander);
    assert.deepEqual((await verifyRanks(platform())).differences, []);
  });
});
