import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { actingBetween } from '../../test/between.ts';
import { addCrowd } from '../../test/crowd.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { rebuildBoard } from '../boards/rebuild.ts';
import { findBoardById } from '../boards/rerank-board.queries.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';
import { givenId } from '../platform/db/ids.ts';
import { restoreOwnSpace } from './own-space-states.ts';
import { sweepDeletedSpaces } from './purge-spaces.ts';

describe('a space whose time to be restored has ended', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  const slugOf = async () => (await publishLive(service, creator)).space.slug;
  const remove = (slug: string) => creator.call('DELETE', `/api/spaces/${slug}`);
  const restore = (slug: string) => creator.call('POST', `/api/spaces/${slug}/restore`);
  /** Returns the statuses of its page and of its address. */
  async function seen(slug: string) {
    const { urls } = service.service.platform;
    return Promise.all(
      [urls.page(slug), urls.live(slug)].map(async (url) => (await service.get(url)).status),
    );
  }

  it('is not deleted if it was taken back, or purged already, a moment before', async () => {
    const [back, deletedAnew, purged] = [await slugOf(), await slugOf(), await slugOf()];
    for (const slug of [back, deletedAnew, purged]) await remove(slug);
    service.clock.advance({ days: 8 });
    let isFirst = true;
    const { platform } = service.service;
    const swept = await sweepDeletedSpaces(
      actingBetween(platform, async () => {
        if (!isFirst) return;
        isFirst = false;
        // By the clock of the other node there is still time.
        service.clock.advance({ days: -2 });
        for (const slug of [back, deletedAnew]) assert.equal((await restore(slug)).status, 200);
        await remove(deletedAnew);
        service.clock.advance({ days: 2 });
        const others = await sweepDeletedSpaces(platform);
        assert.equal(others, 1);
      }),
    );
    assert.equal(swept, 0);
    assert.deepEqual(await seen(back), [200, 200]);
    assert.equal((await restore(deletedAnew)).status, 200);
    assert.deepEqual(await seen(deletedAnew), [200, 200]);
    assert.deepEqual(await seen(purged), [410, 410]);
  });

  it('is deleted also when there are more of them than one look finds', async () => {
    const slug = await slugOf();
    await remove(slug);
    const { db } = service.service.platform.database;
    const one = await db.selectFrom('spaces').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow();
    const more = Array.from({ length: 200 }, (_, index) => ({
      ...one,
      id: givenId('spc', `spc_${index}`),
      slug: `${slug}-${index}`,
    }));
    await db.insertInto('spaces').values(more).execute();
    service.clock.advance({ days: 8 });
    assert.equal(await sweepDeletedSpaces(service.service.platform), 201);
    const isDeleted = db.selectFrom('spaces').select('id').where('slug', 'like', `${slug}%`);
    assert.deepEqual(await isDeleted.execute(), []);
  });

  it('is deleted also when its players left more than one statement deletes', async () => {
    const { platform } = service.service;
    const { db } = platform.database;
    const [slug, other] = [await slugOf(), await slugOf()];
    const found = await db
      .selectFrom('spaces')
      .select(['id', 'slug'])
      .where('slug', 'in', [slug, other])
      .execute();
    const rows = found.flatMap(({ id, slug: name }) =>
      Array.from({ length: 2_001 }, (_, index) => ({
        run: givenId('run', `${name}-${index}`),
        space_id: id,
        used_at: platform.clock.now(),
      })),
    );
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto('used_runs')
        .values(rows.slice(at, at + 500))
        .execute();
    await remove(slug);
    service.clock.advance({ days: 8 });
    assert.equal(await sweepDeletedSpaces(platform), 1);
    const left = await db.selectFrom('used_runs').select('space_id').execute();
    const otherId = found.find((each) => each.slug === other)?.id;
    assert.deepEqual([left.length, left.every((each) => each.space_id === otherId)], [2_001, true]);
  });

  it('is deleted in pieces if it is large, comes back no more then, and is deleted to the end after a crash', async () => {
    const { platform } = service.service;
    const { db } = platform.database;
    const scores = 12_000;
    const tables = ['submissions', 'entries', 'board_players', 'player_stats'] as const;
    const [slug, other] = [await slugOf(), await slugOf()];
    for (const [place, name] of [slug, other].entries()) await fill(name, place === 0 ? scores : 3);
    const counts = () =>
      Promise.all(
        tables.map(async (table) => {
          const counted = db.selectFrom(table as 'submissions').select(({ fn }) => fn.countAll().as('count'));
          return Number((await counted.executeTakeFirstOrThrow()).count);
        }),
      );
    const bystander = async () => [
      await db.selectFrom('spaces').selectAll().where('slug', '=', other).execute(),
      await db
        .selectFrom('boards')
        .selectAll()
        .where('id', '=', givenId('brd', `brd_${other}`))
        .execute(),
      await db
        .selectFrom('submissions')
        .selectAll()
        .where('board_id', '=', givenId('brd', `brd_${other}`))
        .execute(),
    ];
    const before = await bystander();
    await remove(slug);
    service.clock.advance({ days: 8 });
    let pieces = 0;
    let isDying = true;
    const dying = actingBetween(platform, async () => {
      pieces += 1;
      const [, left = 0] = isDying ? await counts() : [];
      if (!isDying || left === scores + 3) return;
      isDying = false;
      throw new Error('the process died');
    });
    await assert.rejects(sweepDeletedSpaces(dying), /1 spaces were not deleted/u);
    const [submissions = 0, entries = 0] = await counts();
    assert.equal(submissions, scores + 3);
    assert.ok(entries > 3 && entries < scores, `${entries} entries are left`);
    // Not even where there is time to restore it.
    service.clock.advance({ days: -8 });
    assert.deepEqual(codeOf(await restore(slug)), [404, 'not_found']);
    assert.deepEqual(await seen(slug), [410, 410]);
    service.clock.advance({ days: 8 });

    pieces = 0;
    assert.equal(await sweepDeletedSpaces(dying), 1);
    // No transaction deletes more than five thousand rows of a table.
    assert.ok(pieces >= 8, `${pieces} pieces`);
    assert.deepEqual(await counts(), [3, 3, 3, 3]);
    assert.deepEqual(await bystander(), before);
    assert.equal((await verifyRanks(platform)).differences.length, 0);
    assert.deepEqual(await seen(slug), [410, 410]);
  });

  /** Gives a space a board with scores of as many players, each with a stat. */
  async function fill(slug: string, count: number): Promise<void> {
    const { platform } = service.service;
    const { db } = platform.database;
    const { id } = await db
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    const boardId = givenId('brd', `brd_${slug}`);
    const declared = await creator.call('PUT', `/api/spaces/${slug}/boards`, { boards: [{ key: 'crowd' }] });
    assert.equal(declared.status, 200, declared.text());
    await db
      .updateTable('boards')
      .set({ id: boardId })
      .where('space_id', '=', id)
      .where('key', '=', 'crowd')
      .where('env', '=', 'live')
      .execute();
    await addCrowd(platform, { slug, spaceId: id, env: 'live', boardId }, count);
    await platform.database.transaction(async (tx) => {
      const board = await findBoardById(tx.db, boardId);
      assert.ok(board);
      await rebuildBoard(tx, board, platform.config.RANK_SEGMENT_SIZE);
    });
  }

  it('stays deleted once that has begun, and is deleted to the end, whatever RESTORE_SECONDS becomes', async () => {
    const slug = await slugOf();
    await remove(slug);
    service.clock.advance({ days: 8 });
    const { platform } = service.service;
    let pieces = 0;
    const dying = actingBetween(platform, async () => {
      pieces += 1;
      if (pieces === 2) throw new Error('the process died');
    });
    await assert.rejects(sweepDeletedSpaces(dying), /1 spaces were not deleted/u);
    const forEver = { ...platform, config: { ...platform.config, RESTORE_SECONDS: 10_000_000_000 } };
    const owner = await platform.database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', creator.handle)
      .executeTakeFirstOrThrow();
    const caller = {
      kind: 'creator',
      creatorId: owner.id,
      handle: creator.handle,
      operator: false,
      banned: false,
      tokenId: null,
      onlySpace: null,
      claim: null,
    } as const;
    await assert.rejects(restoreOwnSpace(forEver, caller, slug), { code: 'not_found' });
    assert.equal(await sweepDeletedSpaces(forEver), 1);
  });

  it('is deleted although another one cannot be', async () => {
    const slugs = [await slugOf(), await slugOf()];
    for (const slug of slugs) await remove(slug);
    service.clock.advance({ days: 8 });
    const { platform } = service.service;
    let isFirst = true;
    const swept = sweepDeletedSpaces(
      actingBetween(platform, async () => {
        if (isFirst) {
          isFirst = false;
          throw new Error('canceling statement due to statement timeout');
        }
      }),
    );
    await assert.rejects(swept, /1 spaces were not deleted/u);
    const { db } = platform.database;
    const left = () => db.selectFrom('spaces').select('slug').where('slug', 'in', slugs).execute();
    assert.equal((await left()).length, 1);
    await sweepDeletedSpaces(platform);
    assert.deepEqual(await left(), []);
  });
});
