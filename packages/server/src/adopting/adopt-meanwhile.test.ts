import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { guestDeeds } from '../../test/guest-deeds.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';
import { dropDeclared } from '../achievements/achievements.queries.ts';
import { lockProgress } from '../achievements/achievements.ts';
import { lockRankings } from '../boards/change-entries.ts';
import { deleteMeantScores, hashGuestKey } from '../guests/guests.ts';

describe('adopting a guest while something else is written', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { GUESTS_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    arena = await makeArena(service, [{ key: 'points' }]);
  });
  after(() => service.close());

  const platform = () => service.service.platform;
  const adoptAs = (who: PlayingVisitor, guest: { key: string }) =>
    who.call('POST', '/api/player/adopt', { guest_key: guest.key });
  const scoreOf = async (handle: string) =>
    (await arena.entries('points'))
      .json()
      .entries.find((entry: { handle: string }) => entry.handle === handle)?.score;

  it('brings no unlock of an achievement that is deleted meanwhile', { skip: withoutLockWaits }, async () => {
    await arena.putAchievements({ achievements: [{ key: 'founder' }] });
    const who = await accountPlayer(service, 'too_late');
    const guest = guestPlayer(service);
    await (await guestDeeds(platform(), guest, arena)).unlock('founder');
    const { database } = platform();
    const [adopting] = await database.transaction(async (tx) => {
      await lockProgress(tx, arena.spaceId);
      const under = adoptAs(who, guest);
      await someoneWaits(database.db);
      for (const env of ['live', 'sandbox'] as const)
        await dropDeclared(
          tx,
          { spaceId: arena.spaceId, env, key: 'founder' },
          { declared: 'achievements', earned: 'unlocks' },
        );
      // In a list, so that the transaction does not wait for it.
      return [under] as const;
    });
    const answer = await adopting;
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(answer.json().adopted, []);
    const kept = await database.db.selectFrom('unlocks').select('key').execute();
    assert.deepEqual(kept, []);
  });

  it('posts no score that the creator deletes meanwhile', { skip: withoutLockWaits }, async () => {
    const who = await accountPlayer(service);
    const guest = guestPlayer(service);
    await (await guestDeeds(platform(), guest, arena)).score('points', 1_000);
    assert.equal((await adoptAs(who, guest)).json().waiting, 1);
    const { database } = platform();
    const board = await database.db
      .selectFrom('boards')
      .select('id')
      .where('space_id', '=', arena.spaceId)
      .where('env', '=', 'live')
      .executeTakeFirstOrThrow();
    const [settled] = await database.transaction(async (tx) => {
      await lockRankings(tx, [arena.spaceId]);
      const chosen = await who.call('POST', '/api/account/handle', { handle: 'cheater' });
      assert.equal(chosen.status, 200, chosen.text());
      const under = service.settle();
      await someoneWaits(database.db);
      const all = { boardIds: [board.id], version: 1, from: undefined, to: undefined };
      assert.equal(await deleteMeantScores(tx, all), 1);
      return [under] as const;
    });
    await settled;
    await service.settle();
    assert.equal(await scoreOf('cheater'), undefined);
  });

  it('posts the scores of an account that chooses its handle meanwhile', {
    skip: withoutLockWaits,
  }, async () => {
    const who = await accountPlayer(service);
    const guest = guestPlayer(service);
    await (await guestDeeds(platform(), guest, arena)).score('points', 7);
    const { database } = platform();
    const [adopting, settled] = await database.transaction(async (tx) => {
      await tx.lock(`guest:${hashGuestKey(guest.key)}`);
      const under = adoptAs(who, guest);
      await someoneWaits(database.db);
      const chosen = await who.call('POST', '/api/account/handle', { handle: 'just_named' });
      assert.equal(chosen.status, 200, chosen.text());
      return [under, service.settle()] as const;
    });
    assert.equal((await adopting).status, 200);
    await settled;
    await service.settle();
    assert.equal(await scoreOf('just_named'), 7);
  });
});
