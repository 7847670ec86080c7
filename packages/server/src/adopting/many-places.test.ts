import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readMetrics } from '../../test/metrics.ts';
import { accountPlayer, guestPlayer } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';
import { hashGuestKey } from '../guests/guests.ts';
import type { GuestId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import { newId } from '../platform/secrets/id.ts';
import { createSpace } from '../spaces/spaces.ts';

const places = 40;

describe('adopting a guest who has played many spaces', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  const idOf = async (handle: string) =>
    (await db().selectFrom('creators').select('id').where('handle', '=', handle).executeTakeFirstOrThrow())
      .id;
  const statements = async () =>
    (await readMetrics(service)).sum('spaceport_database_duration_seconds_count', { of: 'statement' });

  async function makeSpaces(owner: string, name: string): Promise<SpaceId[]> {
    const owner_id = await idOf(owner);
    const fields = { title: 'Moon', space_type: 'game' as const, devices: ['desktop' as const] };
    return service.service.platform.database.transaction(async (tx) => {
      const ids: SpaceId[] = [];
      for (let at = 0; at < places; at++) {
        const kind = {
          owner_id,
          hosted: 0,
          claimed: 1,
          url: `https://example.org/${name}/${at}`,
          slug: `${name}-${at}`,
        } as const;
        ids.push((await createSpace(tx, fields, kind)).id);
      }
      return ids;
    });
  }
  const saveOf = (player_id: PlayerId, space_id: SpaceId, digest: string, at: number) => ({
    player_id,
    space_id,
    env: 'live' as const,
    slot: 'a',
    type: 'json' as const,
    bytes: 3,
    digest,
    device: 'x',
    at,
    data: '"a"',
  });

  async function makeGuest(): Promise<{ id: GuestId; key: string }> {
    const { key } = guestPlayer(service);
    const id = newId('gst');
    const key_hash = hashGuestKey(key);
    assert.ok(key_hash);
    await db()
      .insertInto('guests')
      .values({ id, key_hash, created_at: 1, opened_at: 1, adopted_by: null, adopted_at: null })
      .execute();
    return { id, key };
  }

  it('takes a few statements for the saves of each, and moves what the guest had lost where it had lost any', async () => {
    await service.creator('maker');
    const spaceIds = await makeSpaces('maker', 'moon');
    const who = await accountPlayer(service, 'adopter');
    const [account, bystander] = [await idOf('adopter'), await idOf('maker')];
    const guest = await makeGuest();
    const guestId = guest.id;
    const [first, second] = spaceIds as [SpaceId, SpaceId];
    await db()
      .insertInto('saves')
      .values([
        ...spaceIds.map((id) => ({ ...saveOf(guestId, id, 'guest', 10), version: 7 })),
        ...spaceIds.map((id) => ({ ...saveOf(bystander, id, 'other', 10), version: 3 })),
        { ...saveOf(account, first, 'own', 5), version: 20 },
      ])
      .execute();
    await db()
      .insertInto('save_counters')
      .values([
        ...spaceIds.map((space_id) => ({
          space_id,
          env: 'live' as const,
          player_id: guestId,
          last_version: 7,
        })),
        { space_id: first, env: 'live', player_id: account, last_version: 20 },
      ])
      .execute();
    for (const [player, space] of [
      [guestId, second],
      [bystander, second],
    ] as const)
      await db()
        .insertInto('save_losers')
        .values({ ...saveOf(player, space, 'lost', 4), id: newId('lost'), lost_to: 6, lost_at: 6 })
        .execute();

    const begun = await statements();
    const answer = await who.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(answer.status, 200, answer.text());
    const used = (await statements()) - begun;
    // On SQLite each row of an insert is a statement.
    assert.ok(used < 3 * places, `${used} statements`);

    const saves = async (player: PlayerId) =>
      db().selectFrom('saves').selectAll().where('player_id', '=', player).orderBy('space_id').execute();
    const own = await saves(account);
    assert.equal(own.length, places);
    assert.ok(
      own.every(
        ({ digest, version, space_id }) => digest === 'guest' && version === (space_id === first ? 21 : 8),
      ),
    );
    assert.deepEqual(await saves(guestId), []);
    assert.ok((await saves(bystander)).every(({ digest, version }) => digest === 'other' && version === 3));
    const counters = await db()
      .selectFrom('save_counters')
      .select(['space_id', 'last_version'])
      .where('player_id', '=', account)
      .execute();
    assert.equal(counters.length, places);
    assert.ok(counters.every(({ space_id, last_version }) => last_version === (space_id === first ? 21 : 8)));
    const losers = await db().selectFrom('save_losers').select(['player_id', 'space_id', 'digest']).execute();
    assert.deepEqual(
      losers.map(({ player_id, space_id, digest }) => `${player_id} ${space_id} ${digest}`).sort(),
      [`${account} ${first} own`, `${account} ${second} lost`, `${bystander} ${second} lost`].sort(),
    );
  });

  it('takes a statement for each row of its scores and progress at most', async () => {
    await service.creator('builder');
    const spaceIds = await makeSpaces('builder', 'star');
    const who = await accountPlayer(service, 'scorer');
    const account = await idOf('scorer');
    const guest = await makeGuest();
    const source = 'api' as const;
    const boards = spaceIds.map((space_id) => ({ id: newId('brd'), space_id }));
    await db()
      .insertInto('boards')
      .values(
        boards.map((board) => ({
          ...board,
          env: 'live' as const,
          key: 'points',
          title: 'Points',
          metric: 'score' as const,
          sort: 'desc' as const,
          trust: 'client' as const,
          keep: 'best' as const,
          unit: null,
          decimals: 0,
          min: null,
          max: null,
          min_seconds: null,
          max_per_second: null,
          periods: toJson<['all', 'week']>(['all', 'week']),
          source,
          created_at: 1,
          updated_at: 1,
        })),
      )
      .execute();
    const all = spaceIds.map((space_id) => ({ space_id, env: 'live' as const, key: 'one', created_at: 1 }));
    await db()
      .insertInto('stats')
      .values(all.map((one) => ({ ...one, label: 'One', op: 'add' as const, source })))
      .execute();
    const about = { title: 'One', description: '', icon: null, hidden: 0 as const, points: 0, source };
    await db()
      .insertInto('achievements')
      .values(all.map((one) => ({ ...one, ...about, trigger_stat: 'one', trigger_at_least: 5 })))
      .execute();
    const at = service.clock.now();
    const none = { meta: null, version: null, session: null, run: null };
    await db()
      .insertInto('guest_scores')
      .values(
        boards.map(({ id }) => ({ ...none, guest_id: guest.id, board_id: id, score: 7, is_sum: 0, at })),
      )
      .execute();
    await db()
      .insertInto('guest_stats')
      .values(
        spaceIds.map((space_id) => ({
          guest_id: guest.id,
          space_id,
          env: 'live' as const,
          key: 'one',
          value: 5,
          updated_at: 1,
        })),
      )
      .execute();

    const begun = await statements();
    const answer = await who.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(answer.status, 200, answer.text());
    const used = (await statements()) - begun;
    // On SQLite each of these rows is a statement: a submission, two entries and a player of the board.
    assert.ok(used < 5 * places, `${used} statements`);

    assert.equal(answer.json().adopted.length, places);
    for (const { scores, stats, achievements } of answer.json().adopted)
      assert.deepEqual(
        [scores, stats, achievements],
        [[{ board: 'points', score: 7, rank: 1 }], ['one'], ['one']],
      );
    const unlocked = await db()
      .selectFrom('achievements')
      .select('unlocks')
      .where('space_id', 'in', spaceIds)
      .execute();
    assert.ok(unlocked.every(({ unlocks }) => unlocks === 1));
    const entries = await db()
      .selectFrom('entries')
      .select('sort_key')
      .where('player_id', '=', account)
      .execute();
    assert.equal(entries.length, 2 * places);
  });
});
