import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { accountPlayer, guestPlayer } from '../../test/played.ts';
import { playerScores } from '../../test/player-scores.ts';
import { startService, type TestService } from '../../test/service.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';

describe('scores of a guest on boards that add up, or keep the last one', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { GUESTS_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    arena = await makeArena(service, [
      { key: 'gold', keep: 'sum', max: 10 },
      { key: 'owed', keep: 'sum', sort: 'asc' },
      { key: 'form', keep: 'last' },
    ]);
  });
  after(() => service.close());

  const { result } = playerScores(() => arena);
  let names = 0;
  const newAccount = async () => {
    const handle = `bringer_${++names}`;
    return { handle, who: await accountPlayer(service, handle) };
  };
  const adopt = async (who: { call: Arena['call'] }, { key }: { key: string }) => {
    const answer = await who.call('POST', '/api/player/adopt', { guest_key: key });
    assert.equal(answer.status, 200, answer.text());
    return answer.json().adopted[0]?.scores ?? [];
  };
  const entryOf = async (board: string, handle: string) =>
    (await arena.entries(board)).json().entries.find((entry: { handle: string }) => entry.handle === handle)
      ?.score;

  it('are answered as those of an account are', async () => {
    const guest = guestPlayer(service);
    const { who } = await newAccount();
    const posts = [
      ['gold', 5],
      ['gold', 6],
      ['gold', -2],
      ['owed', 4],
      ['owed', 3],
      ['owed', -9],
      ['form', 9],
      ['form', 4],
      ['form', 4],
      ['form', 7],
    ] as const;
    const answers = async (player: typeof who) => {
      const all: [number, boolean][] = [];
      for (const [board, score] of posts) {
        const { best, improved } = await result(player, board, score);
        all.push([best, improved]);
      }
      return all;
    };
    const ofGuest = await answers(guest);
    assert.deepEqual(ofGuest, await answers(who));
    assert.deepEqual(
      ofGuest.map(([best]) => best),
      [5, 11, 9, 4, 7, -2, 9, 4, 4, 7],
    );
  });

  it('are added to what the account that adopts the guest has', async () => {
    const guest = guestPlayer(service);
    const { who, handle } = await newAccount();
    await result(who, 'gold', 9);
    // Their sum is over the bounds of a single score.
    for (const score of [5, 6, 4]) await result(guest, 'gold', score);
    const adopted = await adopt(who, guest);
    assert.deepEqual(
      adopted.map(({ board, score }: { board: string; score: number }) => [board, score]),
      [['gold', 15]],
    );
    assert.equal(await entryOf('gold', handle), 24);
    assert.deepEqual(await adopt(who, guest), [], 'once');
    assert.equal(await entryOf('gold', handle), 24);
  });

  it('replace the last score of the account only if they are newer', async () => {
    const [older, newer] = [guestPlayer(service), guestPlayer(service)];
    const { who, handle } = await newAccount();
    await result(older, 'form', 90);
    service.clock.advance({ seconds: 5 });
    await result(who, 'form', 50);
    service.clock.advance({ seconds: 5 });
    await result(newer, 'form', 30);
    await result(newer, 'form', 20);
    await adopt(who, older);
    assert.equal(await entryOf('form', handle), 50);
    await adopt(who, newer);
    assert.equal(await entryOf('form', handle), 20);
  });

  it('are no best score once a board no longer adds up', async () => {
    const board = (keep: 'sum' | 'best') => arena.putBoards([{ key: 'changed', keep }]);
    await board('sum');
    const [adding, single] = [guestPlayer(service), guestPlayer(service)];
    for (const score of [5, 6]) await result(adding, 'changed', score);
    await result(single, 'changed', 8);
    await board('best');
    const { who, handle } = await newAccount();
    assert.deepEqual(await adopt(who, adding), []);
    await adopt(who, single);
    assert.equal(await entryOf('changed', handle), 8);
    const later = guestPlayer(service);
    await result(later, 'changed', 3);
    await board('sum');
    assert.equal((await result(later, 'changed', 4)).best, 7, 'one score is the beginning of a sum');
    await board('best');
    assert.equal((await result(later, 'changed', 2)).best, 2, 'a sum is not');
    const { platform } = service.service;
    assert.deepEqual((await verifyRanks(platform)).differences, []);
  });
});
