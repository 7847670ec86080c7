import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verifyRanks } from '../src/boards/verify-ranks.ts';
import { codeOf, onceFree } from './answers.ts';
import { type Arena, makeArena, makePlayers } from './arena.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import './several-nodes.ts';
import { startService, type TestService } from './service.ts';

describe('the boards of a space, on two server processes', () => {
  let service: TestService;
  let second: ServerProcess;
  let players: string[];
  before(async () => {
    // Segments of a few entries are split and merged all the time.
    service = await startService({
      environment: { RANK_SEGMENT_SIZE: '4', PLAYER_SCORES_PER_MINUTE: '100000' },
    });
    // Both processes have the same public addresses, whichever port they listen on.
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    const shared = { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
    second = await startServerProcess(shared, { role: 'serve' });
    players = await makePlayers(service, 40);
  });
  after(async () => {
    await second.end();
    await service.close();
  });

  const nodes = [0, 1] as const;
  const callOnce = (
    node: number,
    method: string,
    path: string,
    credential: string,
    body?: object,
    more = {},
  ) =>
    rawRequest(node % 2 === 0 ? service.port : second.listeningPort, new URL(path, service.baseUrl).href, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const call = (...request: Parameters<typeof callOnce>) => onceFree(() => callOnce(...request));
  const calls = (player: string) =>
    [
      ['/api/v1/scores', { board: 'points', player, score: 1 }],
      ['/api/v1/stats', { stat: 'jumps', player, value: 1 }],
      ['/api/v1/achievements', { achievement: 'founder', player }],
    ] as const;
  async function newArena(): Promise<Arena> {
    const arena = await makeArena(service, [
      { key: 'points', periods: ['all', 'day'] },
      { key: 'coins', keep: 'sum' },
    ]);
    await arena.putAchievements({
      stats: [{ key: 'jumps', op: 'add' }],
      achievements: [{ key: 'founder' }, { key: 'jumper', trigger: { stat: 'jumps', atLeast: 10 } }],
    });
    return arena;
  }
  const issue = async (node: number, { creator, slug }: Arena): Promise<string> =>
    (await call(node, 'POST', `/api/spaces/${slug}/secret`, creator.token)).json().secret;

  it('refuse a replaced secret on both nodes as soon as the new one is returned', async () => {
    const arena = await newArena();
    const [player = ''] = players;
    let { secret } = arena;
    for (let round = 0; round < 4; round++) {
      // Both nodes have the secret in their caches, which last for seconds.
      for (const node of nodes)
        for (const [path, body] of calls(player))
          assert.ok((await call(node, 'POST', path, secret, body)).status < 300);
      const replaced = secret;
      secret = await issue(round, arena);
      // The requests follow at once: the announcement may not have reached the other node yet.
      const answers = await Promise.all(
        nodes.flatMap((node) =>
          calls(player).map(([path, body]) => call(node, 'POST', path, replaced, body)),
        ),
      );
      for (const answer of answers) assert.deepEqual(codeOf(answer), [401, 'unauthorized']);
    }
  });

  it('write nothing with a secret that is replaced meanwhile', async () => {
    const arena = await newArena();
    const [player = ''] = players;
    const { db } = service.service.platform.database;
    const written = async () =>
      db
        .selectFrom('submissions as submission')
        .innerJoin('boards as board', 'board.id', 'submission.board_id')
        .select('submission.id')
        .where('board.space_id', '=', arena.spaceId)
        .execute();
    let { secret } = arena;
    let taken = 0;
    for (let round = 0; round < 5; round++) {
      const post = (index: number) =>
        call(index, 'POST', '/api/v1/scores', secret, { board: 'coins', player, score: 1 });
      const under = Array.from({ length: 20 }, (_, index) => post(index));
      const [next, ...answers] = await Promise.all([issue(round, arena), ...under]);
      for (const { status } of answers) assert.ok(status === 201 || status === 401, String(status));
      taken += answers.filter(({ status }) => status === 201).length;
      assert.equal((await written()).length, taken, 'what was refused left nothing');
      secret = next;
    }
  });

  it('add up exactly, unlock once, and apply a call with a key once', async () => {
    const arena = await newArena();
    const [player = ''] = players;
    const { secret } = arena;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => [
        call(index, 'POST', '/api/v1/scores', secret, { board: 'coins', player, score: 1 }),
        call(index, 'POST', '/api/v1/stats', secret, { stat: 'jumps', player, value: 1 }),
        call(index, 'POST', '/api/v1/achievements', secret, { achievement: 'founder', player }),
        call(
          index,
          'POST',
          '/api/v1/scores',
          secret,
          { board: 'points', player, score: 7 },
          { 'idempotency-key': 'one' },
        ),
      ]).map((four) => Promise.all(four)),
    );
    for (const answer of answers.flat()) assert.ok(answer.status < 300, answer.text());
    const column = (at: number) => answers.map((four) => (four[at] as RawAnswer).json());
    const oneToThirty = Array.from({ length: 30 }, (_, index) => index + 1);
    const inOrder = (values: number[]) => values.toSorted((left, right) => left - right);
    // Posts that are committed together are answered with the player's standing after all of them.
    assert.equal(Math.max(...column(0).map(({ best }) => best)), 30);
    const { entries } = (await arena.entries('coins')).json();
    assert.deepEqual([entries.length, entries[0].handle, entries[0].score], [1, player, 30]);
    assert.deepEqual(inOrder(column(1).map(({ value }) => value)), oneToThirty);
    assert.deepEqual(
      column(1).flatMap(({ unlocked, value }) => unlocked.map((key: string) => [key, value])),
      [['jumper', 10]],
    );
    assert.equal(column(2).filter(({ first }) => first).length, 1);
    assert.equal(new Set(column(3).map(({ submission }) => submission.id)).size, 1);
  });

  it('are ranked exactly after concurrent posts, bans, deletes, resets and rule changes', async () => {
    const arena = await newArena();
    const { secret, creator, slug } = arena;
    const own = (node: number, method: string, path: string, body?: object) =>
      call(node, method, `/api/spaces/${slug}/${path}`, creator.token, body);
    const player = (index: number) => players[index % players.length] ?? '';
    const submissions: number[] = [];
    for (let round = 0; round < 6; round++) {
      const posts = Array.from({ length: 40 }, (_, index) =>
        call(index, 'POST', '/api/v1/scores', secret, {
          scores: [
            { board: 'points', player: player(index * 7 + round), score: (index * 37) % 11 },
            { board: 'coins', player: player(index * 3), score: (index % 5) - 2, sandbox: index % 4 === 0 },
          ],
        }),
      );
      const others = [
        ...[0, 1, 2, 3].map((index) =>
          own(index + round, round % 2 === 0 ? 'POST' : 'DELETE', 'bans', { handle: player(index * 5) }),
        ),
        ...submissions.splice(0, 8).map((id, index) => own(index, 'DELETE', `scores/${id}`)),
        call(round, 'POST', `/api/v1/hosting/spaces/${slug}/reset`, creator.token, {
          categories: ['achievements', 'scores'],
        }),
        own(round, 'PUT', 'boards', {
          boards: [{ key: 'points', periods: ['all', 'day'], sort: round % 2 === 0 ? 'asc' : 'desc' }],
        }),
      ];
      const [posted, done] = await Promise.all([Promise.all(posts), Promise.all(others)]);
      for (const answer of posted) {
        assert.ok(answer.status === 201 || answer.json().error === 'banned', answer.text());
        if (answer.status === 201)
          for (const { submission } of answer.json().results) submissions.push(submission.id);
      }
      // A reset may delete submissions before the single deletes reach them.
      for (const answer of done)
        assert.ok(answer.status === 200 || answer.json().error === 'not_found', answer.text());
      const { differences, entries } = await verifyRanks(service.service.platform, slug);
      assert.deepEqual(differences, []);
      assert.ok(entries > 0);
    }
  });
});
