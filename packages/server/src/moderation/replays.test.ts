import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('replays', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({
      environment: { SIGN_UPS_PER_HOUR: '1000', PLAY_SCORES_PER_MINUTE: '1000' },
    });
    arena = await makeArena(service, [{ key: 'points', periods: ['all', 'day'] }, { key: 'plain' }]);
  });
  after(() => service.close());

  async function play(who: PlayingVisitor, score: number, replay?: Buffer, board = 'points') {
    const { run, seed } = await who.run(await who.session(arena.slug), board);
    const body = { run, board, score, ...(replay && { replay: replay.toString('base64') }) };
    const answer = await who.post('scores', body);
    assert.equal(answer.status, 200, answer.text());
    return seed;
  }
  const list = async (board = 'points') => {
    const answer = await arena.creator.call('GET', `/api/spaces/${arena.slug}/boards/${board}/replays`);
    assert.equal(answer.status, 200, answer.text());
    return answer.json().replays;
  };
  const read = (id: number, who: Pick<PlayingVisitor, 'call'> = arena.creator, slug = arena.slug) =>
    who.call('GET', `/api/spaces/${slug}/scores/${id}/replay`);

  it('are kept for the ten best entries of a ranking, with the seeds of their runs', async () => {
    const players = await Promise.all(
      Array.from({ length: 13 }, (_, index) => accountPlayer(service, `seen_${index}`)),
    );
    const first = players[0];
    assert.ok(first);
    const seeds = [];
    for (const [index, who] of players.entries())
      seeds.push(await play(who, index, Buffer.from(`replay of ${index}`)));
    const kept = await list();
    assert.deepEqual(
      kept.map(({ handle, score }: Record<string, unknown>) => [handle, score]),
      Array.from({ length: 10 }, (_, index) => [`seen_${12 - index}`, 12 - index]),
    );
    assert.deepEqual([kept[0].version, kept[0].bytes], [1, 'replay of 12'.length]);
    const { replay, seed, board } = (await read(kept[0].submission)).json();
    assert.deepEqual([board, seed], ['points', seeds[12]]);
    assert.equal(Buffer.from(replay, 'base64').toString(), 'replay of 12');
    // The score is worse than the player's best, so it is in no ranking.
    await play(players[12] ?? first, 1, Buffer.from('worse'));
    assert.deepEqual(await list(), kept);
    // The best score of today is kept because of the ranking of the day.
    service.clock.advance({ days: 1 });
    await play(first, 0, Buffer.from('of today'));
    const today = await list();
    assert.deepEqual([today.length, today[0].handle], [11, 'seen_0']);
  });

  it('of guests come along when an account adopts them, with the score that they are of', async () => {
    await arena.putBoards([{ key: 'brought' }]);
    const who = await accountPlayer(service, 'brings_replays');
    const guest = guestPlayer(service);
    await play(guest, 5, Buffer.from('the first'), 'brought');
    const seed = await play(guest, 7, Buffer.from('the best'), 'brought');
    await play(guest, 6, Buffer.from('a worse one'), 'brought');
    assert.deepEqual(await list('brought'), []);
    const adopted = await who.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    const [only, ...rest] = await list('brought');
    assert.deepEqual([only.handle, only.score, rest.length], ['brings_replays', 7, 0]);
    const { replay, seed: played } = (await read(only.submission)).json();
    assert.deepEqual([Buffer.from(replay, 'base64').toString(), played], ['the best', seed]);
  });

  it('of guests are kept only for scores that would be among the ten best', async () => {
    await arena.putBoards([{ key: 'crowded' }]);
    const guest = guestPlayer(service);
    const kept = async () => {
      const { db } = service.service.platform.database;
      const rows = await db
        .selectFrom('guest_replays')
        .innerJoin('boards', 'boards.id', 'guest_replays.board_id')
        .select('data')
        .where('boards.key', '=', 'crowded')
        .execute();
      return rows.map(({ data }) => Buffer.from(data, 'base64').toString());
    };
    await play(guest, 1, Buffer.from('alone'), 'crowded');
    assert.deepEqual(await kept(), ['alone']);
    for (let index = 0; index < 10; index++) await arena.score('crowded', `seen_${index}`, 100 + index);
    await play(guest, 50, Buffer.from('the eleventh'), 'crowded');
    assert.deepEqual(await kept(), []);
    await play(guest, 101, Buffer.from('among them'), 'crowded');
    assert.deepEqual(await kept(), ['among them']);
    await play(guest, 102, undefined, 'crowded');
    assert.deepEqual(await kept(), [], 'the best score has none');
  });

  it('have at most 64 KiB, and are listed for accounts only', async () => {
    const who = await accountPlayer(service, 'long_one');
    const bytes = randomBytes(64 * 1024);
    await play(who, 1, bytes, 'plain');
    await play(guestPlayer(service), 2, Buffer.from('of a guest'), 'plain');
    await play(await accountPlayer(service, 'without_one'), 3, undefined, 'plain');
    const [only, ...rest] = await list('plain');
    assert.deepEqual([only.bytes, rest.length], [bytes.length, 0]);
    assert.equal((await read(only.submission)).json().replay, bytes.toString('base64'));
    const session = await who.session(arena.slug);
    const of = { session, board: 'plain', score: 1 };
    const over = await who.post('scores', { ...of, replay: randomBytes(64 * 1024 + 2).toString('base64') });
    assert.deepEqual([...codeOf(over), over.json().issues[0].path], [422, 'invalid', 'replay']);
    const deleted = await arena.creator.call('DELETE', `/api/spaces/${arena.slug}/scores/${only.submission}`);
    assert.equal(deleted.status, 200);
    assert.deepEqual(await list('plain'), [], 'it goes with its submission');
    assert.deepEqual(codeOf(await read(only.submission)), [404, 'not_found']);
    await play(who, 5, Buffer.from('of a session'), 'plain');
    const again = await who.post('scores', { ...of, score: 6, replay: 'AAAA' });
    assert.equal(again.status, 200, again.text());
    const [newest] = await list('plain');
    assert.equal((await read(newest.submission)).json().seed, null, 'of no run');
  });

  it('can be read only by the creator of the space', async () => {
    const [one] = await list();
    const stranger = await service.creator();
    const other = await makeArena(service, []);
    assert.deepEqual(codeOf(await read(one.submission, stranger)), [404, 'not_found']);
    assert.deepEqual(codeOf(await read(one.submission, other.creator, other.slug)), [404, 'not_found']);
    assert.deepEqual(codeOf(await read(one.submission, service.anonymous)), [401, 'unauthorized']);
    assert.deepEqual(codeOf(await read(1e9)), [404, 'not_found']);
    const replays = (board: string, query = '') =>
      arena.creator.call('GET', `/api/spaces/${arena.slug}/boards/${board}/replays${query}`);
    assert.deepEqual(codeOf(await replays('nowhere')), [404, 'not_found']);
    assert.deepEqual((await replays('points', '?sandbox=true')).json(), { replays: [] });
  });
});
