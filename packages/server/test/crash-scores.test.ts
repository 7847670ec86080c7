import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyRanks } from '../src/boards/verify-ranks.ts';
import { makeArena, makePlayers } from './arena.ts';
import { arm, chosenPoints, startToBeKilled } from './kill-points.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';

/**
 * A round of the calls below makes three or four commits, depending on how the calls are grouped. The process
 * is killed before each of them. On SQLite each kill is done twice, because the calls in a commit differ from
 * run to run.
 */
const killPoints = chosenPoints([1, 1, 2, 2, 3, 3, 4, 4]);
const pointsInOneTest = 4;

describe('a process that is killed while scores are posted', () => {
  for (let first = 0; first < killPoints.length; first += pointsInOneTest) {
    const points = killPoints.slice(first, first + pointsInOneTest);
    it(`has each call it acknowledged, and applies each once when all are resent: ${first}, writes ${points}`, () =>
      killBefore(points));
  }
});

async function killBefore(points: readonly number[]): Promise<void> {
  const service = await startService({ environment: { RANK_SEGMENT_SIZE: '4' } });
  const arena = await makeArena(service, [
    { key: 'coins', keep: 'sum' },
    { key: 'points', periods: ['all', 'day'] },
  ]);
  await arena.putAchievements({
    stats: [{ key: 'jumps', op: 'add' }],
    achievements: [{ key: 'founder' }, { key: 'jumper', trigger: { stat: 'jumps', atLeast: 5 } }],
  });
  const players = await makePlayers(service, points.length);
  const [ann = ''] = players;
  // The data exists now. From here on, separate server processes work on it.
  await service.service.close();

  /** Each call has an idempotency key of its own, as a game server sends them. */
  const callsOf = (round: number): Call[] => [
    ...players.map((player, index) => ({
      path: '/api/v1/scores',
      key: `points ${round} ${index}`,
      body: { board: 'points', player, score: (index * 7 + round * 5) % 13 },
    })),
    ...Array.from({ length: 4 }, (_, index) => ({
      path: '/api/v1/scores',
      key: `coins ${round} ${index}`,
      body: { scores: [1, 1, 1].map((score) => ({ board: 'coins', player: ann, score })) },
    })),
    ...[1, 2].map((value) => ({
      path: '/api/v1/stats',
      key: `jumps ${round} ${value}`,
      body: { stat: 'jumps', player: ann, value },
    })),
    {
      path: '/api/v1/achievements',
      key: `founder ${round}`,
      body: { achievement: 'founder', player: players[round % players.length] },
    },
  ];
  const send = ({ port, baseUrl }: ServerProcess, { path, key, body }: Call): Promise<RawAnswer> =>
    rawRequest(port, new URL(path, baseUrl).href, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${arena.secret}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });

  let kills = 0;
  let server = await startToBeKilled(service.environment, points[0] ?? 0);
  try {
    for (const [round] of points.entries()) {
      const calls = callsOf(round);
      await arm(server);
      const first = await Promise.allSettled(calls.map((call) => send(server, call)));
      if (first.some(({ status }) => status === 'rejected')) {
        assert.equal((await server.ended).signal, 'SIGKILL', 'only its sudden end excuses a lost answer');
        kills++;
      } else await server.end('SIGKILL');
      server = await startToBeKilled(service.environment, points[round + 1] ?? 0);
      for (const [index, call] of calls.entries()) {
        const again = await send(server, call);
        assert.ok(again.status < 300, again.text());
        const told = first[index];
        if (told?.status !== 'fulfilled') continue;
        assert.ok(told.value.status < 300, told.value.text());
        assert.equal(again.headers['idempotent-replayed'], 'true', 'it was acknowledged');
        assert.equal(again.text(), told.value.text());
      }
    }
  } finally {
    await server.end('SIGKILL');
    await service.restart();
  }
  try {
    assert.ok(kills > 0, 'it was never ended');
    const rounds = points.length;
    const { differences, submissions } = await verifyRanks(service.service.platform, arena.slug);
    assert.deepEqual(differences, []);
    assert.equal(submissions, rounds * (rounds + 12));
    const coins = (await arena.entries('coins')).json().entries;
    assert.equal(coins[0].score, rounds * 12);
    const jumps = await arena.call('POST', '/api/v1/stats', { stat: 'jumps', player: ann, value: 0 });
    assert.deepEqual([jumps.json().value, jumps.json().unlocked], [rounds * 3, []]);
    const { achievements } = (await service.anonymous.call('GET', `/api/gallery/${arena.slug}`)).json();
    assert.deepEqual(
      achievements.map(({ unlocks }: { unlocks: number }) => unlocks),
      [rounds, 1],
    );
  } finally {
    await service.close();
  }
}

interface Call {
  readonly path: string;
  readonly key: string;
  readonly body: object;
}
