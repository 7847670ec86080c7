import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('pages that are asked for at the same moment', () => {
  let service: TestService;
  let arenas: Arena[];
  let players: string[];
  before(async () => {
    service = await startService({ environment: { RANK_SEGMENT_SIZE: '4', RESPONSE_CACHE_BYTES: '0' } });
    const boards = [{ key: 'points' }, { key: 'laps', sort: 'asc' as const }, { key: 'empty' }];
    arenas = [await makeArena(service, boards), await makeArena(service, boards)];
    players = await makePlayers(service, 40);
    for (const [index, arena] of arenas.entries()) {
      const scores = players.flatMap((player, place) => [
        { board: 'points', player, score: (place * 7) % (20 + index) },
        { board: 'laps', player, score: place + 0.125 },
      ]);
      assert.equal((await arena.post({ scores })).status, 201);
    }
  });
  after(() => service.close());

  const next = async (arena: Arena, board: string, query: string) =>
    (await arena.entries(board, query)).json().next as string;

  it('are those that each reader gets alone', async () => {
    const asked: [Arena, string, string][] = [];
    for (const arena of arenas)
      for (const board of ['points', 'laps', 'empty']) {
        const cursor = board === 'empty' ? null : await next(arena, board, '?limit=5');
        asked.push([arena, board, ''], [arena, board, '?limit=3'], [arena, board, '?limit=3']);
        if (cursor !== null) asked.push([arena, board, `?limit=4&cursor=${cursor}`]);
        for (const player of [...players.slice(0, 12), 'nobody_at_all'])
          asked.push(
            [arena, board, `?limit=6&around=${player}`],
            [arena, board, `?limit=1&around=${player}`],
          );
      }
    const read = async ([arena, board, query]: (typeof asked)[number]) => {
      const { status, text } = await arena.entries(board, query);
      return [status, text()];
    };
    const together = await Promise.all(asked.map(read));
    const alone = [];
    for (const page of asked) alone.push(await read(page));
    assert.deepEqual(together, alone);
    assert.ok(together.some(([status]) => status === 404));
  });
});
