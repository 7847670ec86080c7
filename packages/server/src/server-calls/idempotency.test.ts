import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { sweepIdempotentAnswers } from './idempotency.ts';

describe('an Idempotency-Key', () => {
  let service: TestService;
  let arena: Arena;
  let ann: string;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, [
      { key: 'coins', keep: 'sum' },
      { key: 'bounded', max: 10 },
    ]);
    [ann = ''] = await makePlayers(service, 1);
  });
  after(() => service.close());

  let nextKey = 0;
  const newKey = () => `key-${nextKey++}`;
  const post = (body: unknown, key: string) => arena.post(body, { 'idempotency-key': key });
  const submissions = async () => {
    const { db } = service.service.platform.database;
    return (await db.selectFrom('submissions').select('id').execute()).length;
  };

  it('makes a call run once, and repeats return the first response', async () => {
    const key = newKey();
    const body = { board: 'coins', player: ann, score: 5, meta: { run: 1 } };
    const first = await post(body, key);
    assert.equal(first.status, 201);
    assert.equal(first.headers['idempotent-replayed'], undefined);
    const count = await submissions();
    await arena.score('coins', ann, 100);
    const again = await post(body, key);
    assert.deepEqual([again.status, again.text()], [201, first.text()]);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(await submissions(), count + 1);
    const batch = { scores: [body, body] };
    const [left, right] = [await post(batch, `${key} batch`), await post(batch, `${key} batch`)];
    assert.equal(left.text(), right.text());
    assert.equal(right.headers['idempotent-replayed'], 'true');
  });

  it('is refused with a different request', async () => {
    const key = newKey();
    assert.equal((await post({ board: 'coins', player: ann, score: 1 }, key)).status, 201);
    const other = await post({ board: 'coins', player: ann, score: 2 }, key);
    assert.deepEqual(codeOf(other), [409, 'conflict']);
  });

  it('is separate for each space', async () => {
    const other = await makeArena(service, [{ key: 'coins' }]);
    const key = newKey();
    await post({ board: 'coins', player: ann, score: 1 }, key);
    const answer = await other.post({ board: 'coins', player: ann, score: 2 }, { 'idempotency-key': key });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['idempotent-replayed'], undefined);
  });

  it('can be used again after a call that was refused', async () => {
    const key = newKey();
    const refused = await post({ board: 'bounded', player: ann, score: 11 }, key);
    assert.deepEqual(codeOf(refused), [422, 'invalid']);
    const taken = await post({ board: 'bounded', player: ann, score: 10 }, key);
    assert.equal(taken.status, 201);
    assert.equal(taken.headers['idempotent-replayed'], undefined);
  });

  it('is remembered for a day', async () => {
    const key = newKey();
    const body = { board: 'coins', player: ann, score: 1 };
    const first = (await post(body, key)).json();
    service.clock.advance({ hours: 23, minutes: 59 });
    assert.equal((await post(body, key)).headers['idempotent-replayed'], 'true');
    service.clock.advance({ minutes: 2 });
    const anew = await post({ ...body, score: 2 }, key);
    assert.equal(anew.status, 201);
    assert.ok(anew.json().submission.id > first.submission.id);
    service.clock.advance({ hours: 25 });
    const { database, clock } = service.service.platform;
    await sweepIdempotentAnswers(database, clock.now());
    assert.deepEqual(await database.db.selectFrom('idempotent_answers').select('key').execute(), []);
  });

  it('is a text of 1 to 128 printable characters', async () => {
    const body = { board: 'coins', player: ann, score: 1 };
    for (const key of ['x'.repeat(129), 'tab\there', 'ü']) {
      const refused = await post(body, key);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], key);
      assert.equal(refused.json().issues[0].path, 'idempotency-key');
    }
    assert.equal((await post(body, 'x'.repeat(128))).status, 201);
  });

  it('holds when the same call arrives many times at once', async () => {
    for (let round = 0; round < 5; round++) {
      const key = newKey();
      const count = await submissions();
      const same = { board: 'coins', player: ann, score: 3 };
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => post(index === 7 ? { ...same, score: 4 } : same, key)),
      );
      assert.equal(await submissions(), count + 1);
      const taken = answers.filter(({ status }) => status === 201);
      assert.equal(new Set(taken.map((answer) => answer.text())).size, 1);
      assert.equal(taken.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1);
      for (const answer of answers)
        if (answer.status !== 201) assert.deepEqual(codeOf(answer), [409, 'conflict']);
    }
  });
});
