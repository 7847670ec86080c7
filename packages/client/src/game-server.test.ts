import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGameServer } from './game-server.ts';

const result = {
  submission: { id: 7, board: 'points', player: 'ada', score: 5, created_at: '2026-01-31T12:00:00.000Z' },
  rank: 1,
  best: 5,
  entries: 3,
};

/** Returns a game server whose service gives these answers in turn; `null` is a lost connection. */
function withAnswers(...answers: (Response | null)[]) {
  const sent: { path: string; authorization: string | null; key: string | null; body: unknown }[] = [];
  const server = createGameServer({
    baseUrl: 'http://service.test',
    secret: 'sp_secret_test',
    retry: { baseMs: 1, maxMs: 1 },
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      const body: unknown = JSON.parse(String(init?.body));
      const key = headers.get('idempotency-key');
      sent.push({
        path: new URL(String(url)).pathname,
        authorization: headers.get('authorization'),
        key,
        body,
      });
      const answer = answers.shift();
      if (!answer) throw new TypeError('fetch failed');
      return answer;
    },
  });
  return { server, sent };
}

test('posts one score or a list of scores with the secret', async () => {
  const { server, sent } = withAnswers(
    Response.json(result, { status: 201 }),
    Response.json({ results: [result, result] }, { status: 201 }),
  );
  const post = { board: 'points', player: 'ada', score: 5 };
  assert.equal((await server.postScore(post)).rank, 1);
  assert.equal((await server.postScores([post, post])).length, 2);
  assert.deepEqual(
    sent.map(({ path, authorization, body }) => [path, authorization, body]),
    [
      ['/api/v1/scores', 'Bearer sp_secret_test', post],
      ['/api/v1/scores', 'Bearer sp_secret_test', { scores: [post, post] }],
    ],
  );
  assert.notEqual(sent[0]?.key, sent[1]?.key);
});

test('retries a post under the same key when no answer came or the service was away', async () => {
  const away = Response.json({ error: 'failed' }, { status: 503, headers: { 'retry-after': '0' } });
  const { server, sent } = withAnswers(null, away, Response.json(result, { status: 201 }));
  assert.deepEqual(await server.postScore({ board: 'points', player: 'ada', score: 5 }), result);
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ key }) => key)).size, 1);
  assert.match(String(sent[0]?.key), /^[\da-f-]{36}$/u);
});

test('uses the idempotency key that the game gives, and throws a refusal with its code', async () => {
  const { server, sent } = withAnswers(Response.json({ error: 'banned', message: 'No.' }, { status: 403 }));
  const call = server.unlock({ achievement: 'first', player: 'ada' }, { idempotencyKey: 'run-12' });
  await assert.rejects(call, { code: 'banned', status: 403 });
  assert.deepEqual([sent.length, sent[0]?.key], [1, 'run-12']);
});
