import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { declaredOf, many } from '../../test/declared.ts';
import { fileEntries, listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';

const files = fileEntries(smallGame);
const fields = { ...listing, devices: [...listing.devices] };

describe('a preview’s declarations', () => {
  let service: TestService;
  let creator: Persona;
  let declared: ReturnType<typeof declaredOf>;
  before(async () => {
    service = await startService({
      environment: { PUBLISHES_PER_HOUR: '500', CHECKS_PER_HOUR: '500', ANONYMOUS_PUBLISHES_PER_HOUR: '500' },
    });
    creator = await service.creator();
    declared = declaredOf(service, creator);
  });
  after(() => service.close());

  const create = (body: object) => creator.call('POST', '/api/v1/hosting/versions', { files, ...body });
  const finish = (id: string, preview = false) =>
    creator.call('POST', `/api/v1/hosting/versions/${id}/finish`, { preview });
  /** Publishes for production and waits for the verdict. Returns the slug. */
  async function publish(what: object, space?: string): Promise<{ slug: string }> {
    const details = space === undefined ? { fields, ...what } : { space, ...what };
    return (await publishLive(service, creator, smallGame, details)).space;
  }

  /** Publishes a page without an account, as a preview. */
  async function unlisted(what: object): Promise<{ slug: string; claim: string }> {
    const body = { files, fields, ...what };
    const answer = await service.anonymous.call('POST', '/api/v1/hosting/versions', body);
    const { version, space, uploads, claimToken: claim } = answer.json();
    for (const { sha256, url } of uploads as { sha256: string; url: string }[]) {
      const path = files.find((file) => file.sha256 === sha256)?.path ?? '';
      await service.get(url, { method: 'PUT', body: smallGame[path] ?? '' });
    }
    const finished = await service.anonymous.call('POST', `/api/v1/hosting/versions/${version.id}/finish`, {
      claim,
    });
    assert.equal(finished.status, 200, finished.text());
    return { slug: space.slug, claim };
  }

  it('apply in the sandbox only, over those of the live version', async () => {
    const { slug } = await publish({ boards: [{ key: 'live', title: 'Live' }], stats: [{ key: 's' }] });
    await publishFiles(creator, smallGame, {
      space: slug,
      boards: [{ key: 'live', title: 'Tried', sort: 'asc' }, { key: 'tried' }],
      achievements: [{ key: 'a', trigger: { stat: 's', atLeast: 1 } }],
    });
    assert.deepEqual(
      (await declared.boards(slug)).map(({ title }) => title),
      ['Live'],
    );
    assert.deepEqual((await declared.achievements(slug)).achievements, []);
    assert.deepEqual(await declared.sandbox(slug), {
      boards: ['live', 'tried'],
      stats: ['s'],
      achievements: ['a'],
    });
  });

  it('replace the oldest preview declarations in the sandbox when they would pass the caps', async () => {
    const { slug } = await publish({ boards: [{ key: 'live' }] });
    const preview = (declared: object) => publishFiles(creator, smallGame, { space: slug, ...declared });
    await preview({ boards: many(6, 'a'), stats: many(30, 'a'), achievements: many(30, 'a') });
    await preview({ boards: many(5, 'b'), stats: many(30, 'b'), achievements: many(30, 'b') });
    const sandbox = await declared.sandbox(slug);
    assert.deepEqual(sandbox.boards, ['live', 'a2', 'a3', 'a4', 'a5', 'b0', 'b1', 'b2', 'b3', 'b4']);
    for (const keys of [sandbox.stats, sandbox.achievements]) {
      assert.equal(keys.length, 50);
      assert.deepEqual([keys[0], keys.at(-1)], ['a10', 'b29']);
    }
    await declared.put(slug, many(9, 'c'));
    assert.deepEqual((await declared.sandbox(slug)).boards, ['live', ...many(9, 'c').map(({ key }) => key)]);
  });

  it('are the only ones of an unlisted page, until it is claimed and published', async () => {
    const { slug: hidden, claim } = await unlisted({ boards: [{ key: 'one' }] });
    assert.deepEqual((await declared.sandbox(hidden)).boards, ['one']);
    const claimed = await create({ claim, boards: [{ key: 'two' }] });
    assert.equal(claimed.status, 201, claimed.text());
    const { slug } = claimed.json().space;
    assert.deepEqual(await declared.boards(slug), []);
    await finish(claimed.json().version.id);
    await service.settle();
    assert.deepEqual(await declared.sources(slug), ['two:page']);
    assert.deepEqual((await declared.sandbox(slug)).boards, ['one', 'two']);
  });

  it('are deleted with an unlisted page, together with the scores posted to it', async () => {
    const { slug } = await unlisted({ boards: [{ key: 'one' }] });
    const { db } = service.service.platform.database;
    const board = await db
      .selectFrom('boards')
      .innerJoin('spaces', 'spaces.id', 'boards.space_id')
      .select('boards.id')
      .where('spaces.slug', '=', slug)
      .executeTakeFirstOrThrow();
    await db.insertInto('rankings').values({ board_id: board.id, window: 'all' }).execute();
    const { id } = await db
      .selectFrom('rankings')
      .select('id')
      .where('board_id', '=', board.id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('submissions')
      .values({ board_id: board.id, player_id: givenId('usr', 'p'), score: 1, meta: null, created_at: 1 })
      .execute();
    await db
      .insertInto('entries')
      .values({ ranking_id: id, player_id: givenId('usr', 'p'), sort_key: -1, submission_id: 1 })
      .execute();
    service.clock.advance({ days: 8 });
    await service.service.sweep();
    const left = [
      ...(await db.selectFrom('boards').select('id').where('id', '=', board.id).execute()),
      ...(await db.selectFrom('rankings').select('id').where('board_id', '=', board.id).execute()),
      ...(await db.selectFrom('submissions').select('id').where('board_id', '=', board.id).execute()),
      ...(await db.selectFrom('entries').select('player_id').where('ranking_id', '=', id).execute()),
    ];
    assert.deepEqual(left, []);
  });
});
