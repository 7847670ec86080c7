import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { actingBetween } from '../../test/between.ts';
import { startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { postGuestStat, readGuestUnlocks, unlockForGuest } from './guest-progress.ts';
import { keepGuestScore } from './guest-scores.ts';
import {
  ensureGuest,
  findGuest,
  hashGuestKey,
  markAdopted,
  noteGuestOpened,
  requireGuest,
} from './guests.ts';
import { sweepGuests } from './sweep.ts';

const refused = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

describe('a guest', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { GUESTS_PER_HOUR: '4' } });
    arena = await makeArena(service, [{ key: 'points' }, { key: 'laps', sort: 'asc' }]);
    await arena.putAchievements({
      stats: [{ key: 'jumps', op: 'add' }, { key: 'level' }],
      achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 3 } }, { key: 'founder' }],
    });
  });
  after(() => service.close());

  let hosts = 0;
  /** Returns a guest who has not written anything yet, and who has a network address of their own. */
  const newKey = (address = `192.0.2.${++hosts}`) => {
    const keyHash = hashGuestKey(randomBytes(32).toString('base64url'));
    assert.ok(keyHash);
    return { keyHash, address };
  };
  const platform = () => service.service.platform;
  const transact = <T>(work: (tx: Tx) => Promise<T>) => platform().database.transaction(work);
  const newPlace = async () => ({
    guestId: await ensureGuest(platform(), newKey()),
    spaceId: arena.spaceId,
    env: 'live' as const,
  });

  it('is identified by a key of 256 bits and by nothing else', () => {
    for (const wrong of ['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}/`])
      assert.equal(hashGuestKey(wrong), null);
    assert.match(hashGuestKey('a'.repeat(43)) ?? '', /^[0-9a-f]{64}$/u);
  });

  it('is created once at the first write, also when two writes come at once', async () => {
    const key = newKey();
    assert.equal(await findGuest(platform().database.db, key.keyHash), undefined);
    const ids = await Promise.all(Array.from({ length: 6 }, () => transact((tx) => requireGuest(tx, key))));
    assert.equal(new Set(ids).size, 1);
    assert.equal((await findGuest(platform().database.db, key.keyHash))?.id, ids[0]);
  });

  it('is refused when its network has created too many guests in an hour', async () => {
    const from = (host: number) => newKey(`2001:db8:0:1::${host}`);
    const first = from(1);
    await ensureGuest(platform(), first);
    for (const host of [2, 3, 4]) await ensureGuest(platform(), from(host));
    await assert.rejects(ensureGuest(platform(), from(5)), refused('rate_limited'));
    await ensureGuest(platform(), first);
    await ensureGuest(platform(), newKey('2001:db8:0:2::1'));
    service.clock.advance({ hours: 1 });
    await ensureGuest(platform(), from(5));
  });

  it('has stats and unlocks by the same rules as accounts, and is not in public counts', async () => {
    const place = await newPlace();
    const post = (stat: string, value: number) => transact((tx) => postGuestStat(tx, place, { stat, value }));
    assert.deepEqual(await post('jumps', 2), { value: 2, unlocked: [] });
    assert.deepEqual(await post('jumps', 2), { value: 4, unlocked: ['jumper'] });
    assert.deepEqual(await post('jumps', 2), { value: 6, unlocked: [] });
    assert.deepEqual(await post('level', -7), { value: -7, unlocked: [] });
    await assert.rejects(post('nowhere', 1), refused('not_found'));
    await assert.rejects(post('jumps', 2 ** 53), refused('invalid'));
    const unlock = (key: string) => transact((tx) => unlockForGuest(tx, place, key));
    const { first, unlockedAt } = await unlock('founder');
    assert.equal(first, true);
    service.clock.advance({ seconds: 1 });
    assert.deepEqual(await unlock('founder'), { first: false, unlockedAt });
    await assert.rejects(unlock('nothing'), refused('not_found'));
    const keys = (await readGuestUnlocks(platform().database.db, place)).map(({ key }) => key);
    assert.deepEqual(keys.toSorted(), ['founder', 'jumper']);
    const page = await service.anonymous.call('GET', `/api/gallery/${arena.slug}`);
    assert.deepEqual(
      page.json().achievements.map(({ unlocks }: { unlocks: number }) => unlocks),
      [0, 0],
    );
  });

  it('has an exact sum when many writes come at once', async () => {
    const place = await newPlace();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        transact((tx) => postGuestStat(tx, place, { stat: 'jumps', value: 1 })),
      ),
    );
    assert.deepEqual(
      answers.map(({ value }) => value).toSorted((left, right) => left - right),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    assert.deepEqual(
      answers.flatMap(({ unlocked }) => unlocked),
      ['jumper'],
    );
  });

  it('keeps its best scores, and is in no ranking', async () => {
    const { guestId } = await newPlace();
    const { db } = platform().database;
    const boards = await db
      .selectFrom('boards')
      .select(['id', 'key', 'sort', 'keep', 'periods', 'ranked_as'])
      .where('space_id', '=', arena.spaceId)
      .where('env', '=', 'live')
      .execute();
    const keep = (key: string, score: number) => {
      const board = boards.find((one) => one.key === key);
      assert.ok(board);
      const more = { meta: undefined, version: 1, session: givenId('play', 's'), run: null };
      return transact((tx) => keepGuestScore(tx, { guestId, board, score, ...more }));
    };
    assert.deepEqual(await keep('points', 5), { best: 5, improved: true });
    assert.deepEqual(await keep('points', 5), { best: 5, improved: false });
    assert.deepEqual(await keep('points', 9), { best: 9, improved: true });
    assert.deepEqual(await keep('laps', 9), { best: 9, improved: true });
    assert.deepEqual(await keep('laps', 5), { best: 5, improved: true });
    assert.deepEqual(await keep('laps', 7), { best: 5, improved: false });
    for (const key of ['points', 'laps']) assert.equal((await arena.entries(key)).json().total, 0);
  });

  it('cannot write after an account has adopted it', async () => {
    const key = newKey();
    const id = await ensureGuest(platform(), key);
    assert.equal(await transact((tx) => markAdopted(tx, id, givenId('usr', 'cre_somebody'))), true);
    assert.equal(await transact((tx) => markAdopted(tx, id, givenId('usr', 'cre_other'))), false);
    await assert.rejects(ensureGuest(platform(), key), refused('unauthorized'));
    await assert.rejects(
      transact((tx) => requireGuest(tx, key)),
      refused('unauthorized'),
    );
  });

  it('is deleted with all data after half a year without opening a space', async () => {
    const [stays, goes] = [newKey(), newKey()];
    const places = [];
    for (const key of [stays, goes]) {
      const place = {
        guestId: await ensureGuest(platform(), key),
        spaceId: arena.spaceId,
        env: 'live' as const,
      };
      await transact((tx) => postGuestStat(tx, place, { stat: 'jumps', value: 5 }));
      places.push(place);
    }
    service.clock.advance({ hours: 24 * 179 });
    await noteGuestOpened(platform(), stays.keyHash);
    await noteGuestOpened(platform(), newKey().keyHash);
    service.clock.advance({ hours: 25 });
    const forgotten: string[] = [];
    await sweepGuests(platform(), async (_tx, id) => void forgotten.push(id));
    const { db } = platform().database;
    assert.ok(await findGuest(db, stays.keyHash));
    assert.equal(await findGuest(db, goes.keyHash), undefined);
    assert.deepEqual(forgotten.includes(places[1]?.guestId ?? ''), true);
    const left = await db.selectFrom('guest_stats').select('guest_id').distinct().execute();
    assert.deepEqual(
      left.map(({ guest_id }) => guest_id),
      [places[0]?.guestId],
    );
  });

  it('who comes back while guests are being deleted is kept, with everything', async () => {
    const [back, gone] = [newKey(), newKey()];
    const [place, other] = await Promise.all(
      [back, gone].map(async (key) => ({
        ...(await newPlace()),
        guestId: await ensureGuest(platform(), key),
      })),
    );
    assert.ok(place && other);
    await transact((tx) => postGuestStat(tx, place, { stat: 'jumps', value: 1 }));
    service.clock.advance({ days: 181 });
    const forgotten: string[] = [];
    const swept = await sweepGuests(
      actingBetween(platform(), () => noteGuestOpened(platform(), back.keyHash)),
      async (_tx, id) => void forgotten.push(id),
    );
    const { db } = platform().database;
    assert.ok(await findGuest(db, back.keyHash));
    assert.equal(await findGuest(db, gone.keyHash), undefined);
    assert.deepEqual([forgotten.includes(place.guestId), forgotten.includes(other.guestId)], [false, true]);
    assert.equal(swept, forgotten.length);
    const stats = await db.selectFrom('guest_stats').select('guest_id').execute();
    assert.ok(stats.some(({ guest_id }) => guest_id === place.guestId));
    assert.equal(await sweepGuests(platform(), async () => {}), 0);
  });

  it('is deleted although many others are at once', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({
      id: givenId('gst', `gst_many${at}`),
      key_hash: `many ${at}`,
      created_at: 0,
      opened_at: 0,
    }));
    await platform().database.db.insertInto('guests').values(rows).execute();
    assert.equal(await sweepGuests(platform(), async () => {}), rows.length);
  });
});
