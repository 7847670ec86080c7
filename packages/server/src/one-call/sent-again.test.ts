import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { zipOf } from '../../test/archives.ts';
import { smallGame } from '../../test/files.ts';
import { as, oneCallSettings, oneCalls } from '../../test/one-call.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('a publish in one call that is sent again with its Idempotency-Key', () => {
  let service: TestService;
  let ada: Persona;
  before(async () => {
    service = await startService({ environment: oneCallSettings });
    ada = await service.creator('ada');
  });
  after(() => service.close());

  const { send } = oneCalls(() => service);
  const keyed = (key: string) => ({ 'idempotency-key': key });
  const newGame = () => zipOf({ ...smallGame, 'mark.txt': randomUUID() });
  const isReplayed = ({ headers }: RawAnswer) => headers['idempotent-replayed'] === 'true';
  const made = (answer: RawAnswer) => {
    assert.equal(answer.status, 201, answer.text());
    const { report: _report, status: _status, liveAt: _at, ...made } = answer.json();
    return made;
  };
  const versions = async () =>
    (await service.service.platform.database.db.selectFrom('versions').select('id').execute()).length;

  it('is answered as the first was', async () => {
    const [game, key, query] = [newGame(), randomUUID(), { title: 'Moon', live: 'true' }];
    const first = await send(game, query, as(ada, keyed(key)));
    assert.equal(isReplayed(first), false);
    await service.settle();
    const count = await versions();
    const again = await send(game, query, as(ada, keyed(key)));
    assert.equal(isReplayed(again), true);
    assert.deepEqual(made(again), made(first));
    assert.deepEqual([again.json().status, await versions()], ['live', count]);
    for (const [other, how] of [
      [newGame(), query],
      [game, { title: 'Moon' }],
    ] as const)
      assert.deepEqual(hostingCodeOf(await send(other, how, as(ada, keyed(key)))), [409, 'conflict']);
  });

  it('makes one page without an account, with one claim token', async () => {
    const [game, key] = [newGame(), randomUUID()];
    const first = await send(game, {}, keyed(key));
    const again = await send(game, {}, keyed(key));
    assert.equal(isReplayed(again), true);
    assert.deepEqual(made(again), made(first));
    assert.match(made(again).claimToken, /^sp_claim_/u);
    assert.deepEqual(hostingCodeOf(await send(game, {}, keyed('short'))), [422, 'invalid_request']);
  });

  it('makes one version while the first still runs', async () => {
    const [game, key, count] = [newGame(), randomUUID(), await versions()];
    const answers = await Promise.all([1, 2].map(() => send(game, {}, as(ada, keyed(key)))));
    assert.deepEqual(made(answers[0] as RawAnswer).version, made(answers[1] as RawAnswer).version);
    assert.deepEqual(answers.map(isReplayed).sort(), [false, true]);
    assert.equal(await versions(), count + 1);
  });

  it('is a first one if that was refused after its create', async () => {
    const leaking = zipOf({ ...smallGame, 'config.js': `const token = '${ada.token}';` });
    const [key, query] = [randomUUID(), { title: 'Leaking' }];
    for (let count = 0; count < 2; count++)
      assert.deepEqual(hostingCodeOf(await send(leaking, query, as(ada, keyed(key)))), [
        422,
        'invalid_files',
      ]);
    const mended = await send(newGame(), query, as(ada, keyed(key)));
    assert.deepEqual([isReplayed(mended), made(mended).space.slug], [false, 'leaking']);
  });
});
