import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AdoptedSpace } from '@spaceport/contract/adopting';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { guestDeeds, readSave, writeSave } from '../../test/guest-deeds.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';

type Guest = ReturnType<typeof guestPlayer>;

describe('adopting a guest', () => {
  let service: TestService;
  let operator: Persona;
  let arena: Arena;
  let other: Arena;
  before(async () => {
    service = await startService({
      environment: { GUESTS_PER_HOUR: '100000', SIGN_UPS_PER_HOUR: '1000', SAVES_PER_MINUTE: '100000' },
    });
    operator = await service.creator(undefined, { operator: true });
    const declared = [{ key: 'points' }, { key: 'laps', sort: 'asc' as const }, { key: 'served' }];
    [arena, other] = [await makeArena(service, declared), await makeArena(service, declared)];
    for (const one of [arena, other])
      await one.putAchievements({
        stats: [{ key: 'jumps', op: 'add' }, { key: 'level' }],
        achievements: [
          { key: 'jumper', trigger: { stat: 'jumps', atLeast: 3 } },
          { key: 'leaper', trigger: { stat: 'jumps', atLeast: 10 } },
          { key: 'founder' },
        ],
      });
  });
  after(() => service.close());

  const platform = () => service.service.platform;
  const deeds = (guest: Guest, place = arena) => guestDeeds(platform(), guest, place);
  const save = (who: PlayingVisitor, slot: string, data: unknown, place = arena) =>
    writeSave(who, place, slot, data);
  const saved = (who: PlayingVisitor, slot: string) => readSave(who, arena, slot);
  const adopt = (who: PlayingVisitor, guest: Pick<Guest, 'key'>) =>
    who.call('POST', '/api/player/adopt', { guest_key: guest.key });
  const adopted = async (who: PlayingVisitor, guest: Guest) => {
    const answer = await adopt(who, guest);
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  };
  const unlocksOf = async (handle: string, place = arena) =>
    (await service.anonymous.call('GET', `/api/gallery/${place.slug}/players/${handle}`))
      .json()
      .achievements.map(({ key }: { key: string }) => key)
      .toSorted();
  const scoreOf = async (handle: string, board: string, place = arena) =>
    (await place.entries(board)).json().entries.find((entry: { handle: string }) => entry.handle === handle)
      ?.score;
  let names = 0;
  const newAccount = async () => {
    const handle = `adopter_${++names}`;
    return { handle, who: await accountPlayer(service, handle) };
  };

  it('keeps the better score, what stats add up to or the larger one, every unlock and the newer save', async () => {
    const { handle, who } = await newAccount();
    const guest = guestPlayer(service);
    const does = await deeds(guest);
    await arena.score('points', handle, 50);
    await arena.score('laps', handle, 30);
    await arena.call('POST', '/api/v1/stats', { stat: 'jumps', player: handle, value: 2 });
    await arena.call('POST', '/api/v1/stats', { stat: 'level', player: handle, value: 9 });
    await save(who, 'old', 'mine, older');
    await save(guest, 'new', 'theirs, older');
    await save(guest, 'both', 'the same');
    await save(who, 'both', 'the same');
    service.clock.advance({ seconds: 5 });
    await save(guest, 'old', 'theirs, newer');
    await save(who, 'new', 'mine, newer');
    await save(guest, 'only', 'theirs alone');
    await does.score('points', 40);
    await does.score('laps', 20);
    await does.stat('jumps', 10);
    await does.stat('level', 4);
    await does.unlock('founder');

    const { adopted: spaces, repeated, waiting } = await adopted(who, guest);
    assert.deepEqual([repeated, waiting], [false, 0]);
    assert.deepEqual(
      (spaces as AdoptedSpace[]).map(({ space, scores, stats, achievements, saves, kept }) => ({
        slug: space.slug,
        scores: scores.map(({ board, score }) => [board, score]),
        stats,
        achievements: achievements.toSorted(),
        saves,
        kept,
      })),
      [
        {
          slug: arena.slug,
          scores: [['laps', 20]],
          stats: ['jumps'],
          achievements: ['founder', 'jumper', 'leaper'],
          saves: ['old', 'only'],
          kept: ['new', 'old'],
        },
      ],
    );
    assert.equal(await scoreOf(handle, 'points'), 50);
    assert.equal(await scoreOf(handle, 'laps'), 20);
    assert.deepEqual(await unlocksOf(handle), ['founder', 'jumper', 'leaper']);
    const jumps = await arena.call('POST', '/api/v1/stats', { stat: 'jumps', player: handle, value: 0 });
    assert.equal(jumps.json().value, 12, 'both together');
    const level = await arena.call('POST', '/api/v1/stats', { stat: 'level', player: handle, value: 9 });
    assert.equal(level.json().value, 9);
    for (const [slot, data] of [
      ['old', 'theirs, newer'],
      ['new', 'mine, newer'],
      ['both', 'the same'],
      ['only', 'theirs alone'],
    ] as const)
      assert.equal(await saved(who, slot), data);
    const losers = await platform()
      .database.db.selectFrom('save_losers')
      .innerJoin('creators', 'creators.id', 'save_losers.player_id')
      .select('save_losers.data')
      .where('creators.handle', '=', handle)
      .orderBy('save_losers.slot')
      .execute();
    assert.deepEqual(
      losers.map(({ data }) => JSON.parse(data)),
      ['theirs, older', 'mine, older'],
    );
    const [submission] = await platform()
      .database.db.selectFrom('submissions')
      .innerJoin('boards', 'boards.id', 'submissions.board_id')
      .select(['submissions.meta', 'submissions.version', 'submissions.session'])
      .where('boards.space_id', '=', arena.spaceId)
      .where('boards.key', '=', 'laps')
      .where('submissions.score', '=', 20)
      .execute();
    assert.deepEqual({ ...submission }, { meta: '{"from":"a guest"}', version: 1, session: 'the-session' });
    assert.deepEqual((await verifyRanks(platform())).differences, []);
  });

  it('happens once, however often and from however many tabs it is requested', async () => {
    const { handle, who } = await newAccount();
    const guest = guestPlayer(service);
    const does = await deeds(guest);
    await does.score('points', 7);
    await does.stat('jumps', 5);
    await save(guest, 'main', 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => adopted(who, guest)));
    assert.equal(answers.filter(({ repeated }) => !repeated).length, 1);
    assert.equal(answers.flatMap(({ adopted: spaces }) => spaces).length, 1);
    assert.equal((await adopted(who, guest)).repeated, true);
    const { entries } = (await arena.entries('points')).json();
    assert.equal(entries.filter((entry: { handle: string }) => entry.handle === handle).length, 1);
    assert.deepEqual(await unlocksOf(handle), ['jumper']);
    const counts = (await service.anonymous.call('GET', `/api/gallery/${arena.slug}`)).json().achievements;
    const unlocks = await platform()
      .database.db.selectFrom('unlocks')
      .select('key')
      .where('space_id', '=', arena.spaceId)
      .where('key', '=', 'jumper')
      .execute();
    assert.equal(counts.find(({ key }: { key: string }) => key === 'jumper').unlocks, unlocks.length);
  });

  it('succeeds for one of two accounts that request it at once', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const guest = guestPlayer(service);
    await save(guest, 'main', 'once');
    const answers = await Promise.all([adopt(one.who, guest), adopt(two.who, guest)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
    assert.deepEqual(codeOf(answers.find(({ status }) => status === 409) ?? assert.fail()), [
      409,
      'conflict',
    ]);
    const found = await Promise.all([saved(one.who, 'main'), saved(two.who, 'main')]);
    assert.deepEqual(
      found.filter((data) => data !== undefined),
      ['once'],
    );
  });

  it('keeps every acknowledged write made meanwhile, and refuses the others', async () => {
    const { who } = await newAccount();
    const guest = guestPlayer(service);
    await save(guest, 's0', 0);
    const writes = Array.from({ length: 10 }, (_, index) =>
      guest.call('PUT', `/api/player/saves/w${index}?space=${arena.slug}`, { data: index }),
    );
    const [, ...answers] = await Promise.all([adopted(who, guest), ...writes]);
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 200) assert.deepEqual(codeOf(answer), [401, 'unauthorized']);
      assert.equal(await saved(who, `w${index}`), answer.status === 200 ? index : undefined);
    }
    const late = await guest.call('PUT', `/api/player/saves/late?space=${arena.slug}`, { data: 1 });
    assert.deepEqual(codeOf(late), [401, 'unauthorized']);
    const seen = await guest.call('GET', `/api/player/saves?space=${arena.slug}`);
    assert.deepEqual(seen.json(), { saves: [] });
  });

  it('ends save versions that either device knew: writes based on them conflict', async () => {
    const { who } = await newAccount();
    const guest = guestPlayer(service);
    const ours = await save(who, 'main', 'ours');
    service.clock.advance({ seconds: 1 });
    const theirs = await save(guest, 'main', 'theirs');
    await adopted(who, guest);
    assert.equal(await saved(who, 'main'), 'theirs');
    for (const base of [ours, theirs]) {
      const refused = await who.call(
        'PUT',
        `/api/player/saves/main?space=${arena.slug}`,
        { data: 'stale' },
        { 'if-match': `"${base}"` },
      );
      assert.deepEqual(codeOf(refused), [409, 'conflict']);
    }
  });

  it('posts no score that the rules refuse by then, and keeps bans and holds', async () => {
    const { handle, who } = await newAccount();
    const guest = guestPlayer(service);
    const [here, there] = [await deeds(guest), await deeds(guest, other)];
    for (const does of [here, there]) {
      await does.score('points', 99);
      await does.score('served', 99);
      await does.stat('jumps', 4);
    }
    await save(guest, 'main', 'kept', other);
    await arena.putBoards([{ key: 'served', trust: 'server' }]);
    const ban = await other.creator.call('POST', `/api/spaces/${other.slug}/bans`, { handle });
    assert.equal(ban.status, 200);
    const { adopted: spaces } = await adopted(who, guest);
    const came = new Map(
      spaces.map((one: { space: { slug: string } } & Record<string, unknown>) => [one.space.slug, one]),
    ) as Map<
      string,
      { scores: { board: string }[]; stats: string[]; achievements: string[]; saves: string[] }
    >;
    assert.deepEqual(
      came.get(arena.slug)?.scores.map(({ board }) => board),
      ['points'],
    );
    const banned = came.get(other.slug);
    assert.deepEqual([banned?.scores, banned?.stats, banned?.achievements], [[], [], []]);
    assert.deepEqual(banned?.saves, ['main'], 'what nobody else sees is theirs');
    assert.equal(await scoreOf(handle, 'points', other), undefined);
    await arena.putBoards([{ key: 'served' }]);

    const held = await newAccount();
    const second = guestPlayer(service);
    const does = await deeds(second, other);
    await does.score('points', 98);
    await does.stat('jumps', 4);
    const act = (action: string) =>
      operator.call('POST', `/api/operator/spaces/${other.slug}/${action}`, { reason: 'r' });
    assert.equal((await act('hold')).status, 200);
    const during = await adopted(held.who, second);
    assert.equal((await act('release')).status, 200);
    assert.deepEqual(during.adopted[0].scores, []);
    assert.deepEqual(await unlocksOf(held.handle, other), ['jumper'], 'progress comes along');
    assert.equal(await scoreOf(held.handle, 'points', other), undefined);
    assert.deepEqual((await verifyRanks(platform())).differences, []);
  });

  it('keeps scores back until the account has a handle', async () => {
    const who = await accountPlayer(service);
    const guest = guestPlayer(service);
    const does = await deeds(guest);
    await does.score('points', 77);
    await does.stat('jumps', 4);
    const first = await adopted(who, guest);
    assert.deepEqual([first.waiting, first.adopted[0].scores], [1, []]);
    assert.deepEqual(first.adopted[0].achievements, ['jumper']);
    assert.equal((await adopted(who, guest)).waiting, 1);
    const handle = 'named_later';
    const chosen = await who.call('POST', '/api/account/handle', { handle });
    assert.equal(chosen.status, 200, chosen.text());
    await service.settle();
    assert.equal(await scoreOf(handle, 'points'), 77);
    assert.equal((await adopted(who, guest)).waiting, 0);
  });

  it('needs an account and a valid key, and is limited by the hour', async () => {
    const { who } = await newAccount();
    for (const body of [{}, { guest_key: 'short' }, { guest_key: 'a'.repeat(43), more: 1 }])
      assert.deepEqual(codeOf(await who.call('POST', '/api/player/adopt', body)), [422, 'invalid']);
    const guest = guestPlayer(service);
    assert.deepEqual(codeOf(await guest.call('POST', '/api/player/adopt', { guest_key: guest.key })), [
      401,
      'unauthorized',
    ]);
    assert.deepEqual(await adopted(who, guest), { adopted: [], repeated: false, waiting: 0 });
    for (let count = 1; count < 20; count++) await adopted(who, guestPlayer(service));
    assert.deepEqual(codeOf(await adopt(who, guestPlayer(service))), [429, 'rate_limited']);
    assert.equal((await adopted(who, guest)).repeated, true);
  });
});
