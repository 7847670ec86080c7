import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { hashSecret, issueSecret as makeSecret } from '../platform/secrets/secret.ts';
import '../../test/one-engine.ts';

describe('calls of a game server that name a player by token', () => {
  let service: TestService;
  let creator: Persona;
  let player: Persona;
  let slug: string;
  let secret: string;
  before(async () => {
    service = await startService();
    creator = await service.creator();
    player = await service.creator('token_player');
    slug = (await publishLive(service, creator)).space.slug;
    await creator.client.putBoards({ params: { slug }, body: { boards: [{ key: 'points' }] } });
    secret = (await creator.client.issueSecret({ params: { slug } })).secret;
  });
  after(() => service.close());

  const tokenFor = async (who: Persona, space = slug, sandbox = false) =>
    (await who.client.issuePlayerToken({ body: { space, sandbox } })).token;
  const post = (body: object) =>
    service.anonymous.call('POST', '/api/v1/scores', body, { authorization: `Bearer ${secret}` });
  async function issueOf(body: object) {
    const { status, json } = await post(body);
    const { error, issues = [] } = json();
    return [status, error, issues[0]?.path, issues[0]?.message];
  }
  const score = { board: 'points', score: 5 };

  it('write to the token’s account', async () => {
    const player_token = await tokenFor(player);
    const answer = await post({ ...score, player_token });
    assert.equal(answer.status, 201, answer.text());
    assert.equal(answer.json().submission.player, player.handle);
    const by = { ...score, score: 6, player: player.handle };
    const both = await post({ scores: [{ ...score, player_token }, by] });
    assert.equal(both.status, 201, both.text());
    assert.deepEqual(
      both.json().results.map(({ entries }: { entries: number }) => entries),
      [1, 1],
    );
  });

  it('write to the token’s environment', async () => {
    const sandbox = await tokenFor(player, slug, true);
    const answer = await post({ ...score, player_token: sandbox, sandbox: true });
    assert.equal(answer.status, 201, answer.text());
    const elsewhere = 'is of the sandbox: it posts only with `sandbox: true`';
    assert.deepEqual(await issueOf({ ...score, player_token: sandbox }), [
      422,
      'invalid',
      'player_token',
      elsewhere,
    ]);
    const live = await tokenFor(player);
    const notThere = await issueOf({ ...score, player_token: live, sandbox: true });
    assert.deepEqual(notThere.slice(0, 3), [422, 'invalid', 'player_token']);
  });

  it('name the wrong item of a batch, and then write none', async () => {
    const other = (await publishLive(service, creator)).space.slug;
    const scores = [
      { ...score, player_token: await tokenFor(player) },
      { ...score, player_token: await tokenFor(player, other) },
    ];
    const { db } = service.service.platform.database;
    const count = async () => (await db.selectFrom('submissions').select('id').execute()).length;
    const before = await count();
    assert.deepEqual(await issueOf({ scores }), [
      422,
      'invalid',
      'scores.1.player_token',
      'is of another space',
    ]);
    assert.equal(await count(), before);
  });

  it('are refused without a player, with two, or with a deleted one or an expired token', async () => {
    const token = await tokenFor(player);
    const named = { ...score, player: player.handle, player_token: token };
    for (const none of [score, named])
      assert.deepEqual((await issueOf(none)).slice(0, 3), [422, 'invalid', 'player']);
    const leaving = await service.creator();
    const left = await tokenFor(leaving);
    const { db } = service.service.platform.database;
    await db.updateTable('creators').set({ handle: null }).where('handle', '=', leaving.handle).execute();
    const gone = await post({ ...score, player_token: left });
    assert.deepEqual([gone.status, gone.json().error], [404, 'no_such_player']);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    const made = await issueOf({ ...score, player_token: unsigned });
    assert.deepEqual(made, [422, 'invalid', 'player_token', 'is not a player token of this service']);
    service.clock.advance({ minutes: 61 });
    const late = await issueOf({ ...score, player_token: token });
    assert.deepEqual(late, [422, 'invalid', 'player_token', 'has expired']);
  });

  it('get the first response when they repeat an idempotency key, also after the token’s expiry', async () => {
    const body = { ...score, score: 7, player_token: await tokenFor(player) };
    const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': 'by-token' };
    const call = () => service.anonymous.call('POST', '/api/v1/scores', body, headers);
    const first = await call();
    assert.equal(first.status, 201, first.text());
    service.clock.advance({ minutes: 61 });
    const again = await call();
    assert.deepEqual([again.status, again.text()], [201, first.text()]);
    assert.deepEqual((await issueOf(body)).slice(2), ['player_token', 'has expired']);
  });

  it('never write live data for a token of the sandbox', async () => {
    const { db } = service.service.platform.database;
    const { id } = await db
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow();
    const setState = (state: 'listed' | 'unlisted') =>
      db.updateTable('spaces').set({ state }).where('id', '=', id).execute();
    // No secret is issued for a page without an account, and a verified token may be older than the page's
    // claim. So the test writes a secret without an announcement, which would make nodes look it up again.
    await setState('unlisted');
    secret = makeSecret('secret');
    await db
      .updateTable('board_secrets')
      .set({ hash: hashSecret(secret) })
      .where('space_id', '=', id)
      .execute();
    const body = { ...score, player_token: await tokenFor(player, slug, true) };
    assert.equal((await post(body)).status, 201, 'known as unlisted from here on');
    await setState('listed');
    const count = async () => (await db.selectFrom('submissions').select('id').execute()).length;
    const before = await count();
    assert.deepEqual(await issueOf(body), [
      422,
      'invalid',
      'player_token',
      'is of the page before it was claimed',
    ]);
    assert.equal(await count(), before);
  });
});
