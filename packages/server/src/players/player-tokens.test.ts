import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { codeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { setBanned } from '../accounts/ban.ts';
import { ServiceError } from '../platform/errors.ts';
import { createPlayers, type PlayerNaming } from './players.ts';

const keySet = '/.well-known/jwks.json';
const tokenPath = '/api/players/token';

describe('player tokens', () => {
  let service: TestService;
  let creator: Persona;
  let player: Persona;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '100' } });
    creator = await service.creator();
    player = await service.creator('player_one');
    slug = (await publishLive(service, creator)).space.slug;
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  async function tokenFor(who: Pick<Persona, 'call'>, body: object = { space: slug }): Promise<string> {
    const answer = await who.call('POST', tokenPath, body);
    assert.equal(answer.status, 200, answer.text());
    return answer.json().token;
  }
  const idOf = async (handle: string) =>
    (await db().selectFrom('creators').select('id').where('handle', '=', handle).executeTakeFirstOrThrow())
      .id;
  async function naming(more: Partial<PlayerNaming>, of = slug): Promise<PlayerNaming> {
    const space = await db()
      .selectFrom('spaces')
      .select(['id', 'slug'])
      .where('slug', '=', of)
      .executeTakeFirstOrThrow();
    return { env: 'live', space, ...more };
  }
  /** A node that has just started and has no keys cached. */
  const players = () => createPlayers(service.service.platform);
  async function refusal(token: string, more: Partial<PlayerNaming> = {}, of = slug) {
    const [answer] = await players().resolveAll(db(), [await naming({ player_token: token, ...more }, of)]);
    assert.ok(answer instanceof ServiceError, JSON.stringify(answer));
    return [answer.code, answer.details.issues?.[0]?.path, answer.details.issues?.[0]?.message];
  }

  it('tell a space’s own server who plays, and are verified by the key set', async () => {
    const answer = await player.call('POST', tokenPath, { space: slug });
    const { token, expires_at, handle } = answer.json();
    assert.equal(handle, 'player_one');
    assert.equal(answer.headers['cache-control'], 'no-store');
    const keys = createRemoteJWKSet(new URL(keySet, service.baseUrl));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: service.baseUrl,
      audience: slug,
      algorithms: ['ES256'],
    });
    assert.deepEqual(Object.keys(payload).sort(), ['aud', 'env', 'exp', 'handle', 'iat', 'iss', 'sub']);
    assert.deepEqual([payload.handle, payload.env], ['player_one', 'live']);
    assert.equal(Number(payload.exp) - Number(payload.iat), 3_600);
    assert.equal(Date.parse(expires_at), Number(payload.exp) * 1_000);
    assert.deepEqual(Object.keys(protectedHeader).sort(), ['alg', 'kid', 'typ']);
    assert.ok(!token.includes(await idOf('player_one')) && payload.sub !== (await idOf('player_one')));
  });

  it('name the player by the same id in one space, and by another id in others', async () => {
    const other = (await publishLive(service, creator)).space.slug;
    const subs = [
      decodeJwt(await tokenFor(player)).sub,
      decodeJwt(await tokenFor(player, { space: slug, sandbox: true })).sub,
      decodeJwt(await tokenFor(player, { space: other })).sub,
      decodeJwt(await tokenFor(creator)).sub,
    ];
    assert.equal(subs[0], subs[1]);
    assert.equal(new Set(subs).size, 3);
  });

  it('are issued to a signed-in browser, from the service’s own pages only', async () => {
    const visitor = await signUp(service, { handle: 'browsing' });
    const answer = await visitor.call('POST', tokenPath, { space: slug });
    assert.equal(answer.status, 200, answer.text());
    assert.equal(answer.json().handle, 'browsing');
    const elsewhere = await visitor.call(
      'POST',
      tokenPath,
      { space: slug },
      { 'sec-fetch-site': 'cross-site' },
    );
    assert.deepEqual(codeOf(elsewhere), [403, 'forbidden']);
  });

  it('are refused to players that may not have one', async () => {
    const ask = async (who: Pick<Persona, 'call'>, body: object = { space: slug }) =>
      codeOf(await who.call('POST', tokenPath, body));
    assert.deepEqual(await ask(service.anonymous), [401, 'unauthorized']);
    assert.deepEqual(await ask(player, { space: 'nowhere' }), [404, 'not_found']);
    assert.deepEqual(await ask(player, {}), [422, 'invalid']);
    assert.deepEqual(await ask(player, { space: slug, env: 'live' }), [422, 'invalid']);
    const nameless = await signUp(service);
    assert.deepEqual(await ask(nameless), [403, 'no_handle']);
    const banned = await service.creator();
    const { platform } = service.service;
    const id = await idOf(banned.handle);
    await platform.database.transaction((tx) => setBanned(tx, id, true));
    assert.deepEqual(await ask(banned), [403, 'forbidden']);
  });

  it('are issued only for spaces that the caller can open', async () => {
    const hidden = (await publishLive(service, creator)).space.slug;
    const ask = async (who: Persona, space: string, sandbox = false) =>
      (await who.call('POST', tokenPath, { space, sandbox })).status;
    assert.equal(await ask(player, hidden), 200);
    const operator = await service.creator(undefined, { operator: true });
    for (const action of ['hide', 'restore', 'hold', 'release', 'remove']) {
      const done = await operator.call('POST', `/api/operator/spaces/${hidden}/${action}`, {
        reason: 'test',
      });
      assert.equal(done.status, 200, done.text());
      const open = action === 'restore' || action === 'release';
      assert.equal(await ask(player, hidden), open ? 200 : 404, action);
      assert.equal(await ask(creator, hidden), open ? 200 : 404, action);
    }
    const previewed = (await publishFiles(creator, smallGame)).space.slug;
    assert.equal(await ask(player, previewed, true), 404);
    assert.equal(await ask(creator, previewed, true), 200);
  });

  it('are for the sandbox when the caller has a preview link, also before the space is live', async () => {
    const { space, previewUrl = '' } = await publishFiles(creator, smallGame);
    const other = await publishFiles(creator, smallGame);
    const labelOf = (url = '') => new URL(url).hostname.split('.')[0];
    const preview = labelOf(previewUrl);
    const ask = async (body: object) => codeOf(await player.call('POST', tokenPath, body));
    const token = await tokenFor(player, { space: space.slug, preview });
    const { env, aud, handle } = decodeJwt(token);
    assert.deepEqual([env, aud, handle], ['sandbox', space.slug, 'player_one']);
    const missing = [404, 'not_found'];
    assert.deepEqual(await ask({ space: space.slug, preview: labelOf(other.previewUrl) }), missing);
    assert.deepEqual(await ask({ space: other.space.slug, preview }), missing);
    assert.deepEqual(await ask({ space: space.slug, preview: '' }), missing);
    await publishLive(service, creator, smallGame, { space: space.slug });
    assert.equal(decodeJwt(await tokenFor(player, { space: space.slug, preview })).env, 'sandbox');
    const operator = await service.creator(undefined, { operator: true });
    for (const [action, open] of [
      ['hide', false],
      ['restore', true],
    ] as const) {
      await operator.call('POST', `/api/operator/spaces/${space.slug}/${action}`, { reason: 'test' });
      const { status } = await player.call('POST', tokenPath, { space: space.slug, preview });
      assert.equal(status, open ? 200 : 404, action);
    }
    service.clock.advance({ days: 1 });
    assert.deepEqual(await ask({ space: space.slug, preview }), missing);
  });

  it('are for the sandbox on a page without an account', async () => {
    const unlisted = (await publishFiles({ ...player, ...service.anonymous }, smallGame)).space.slug;
    assert.equal(decodeJwt(await tokenFor(player, { space: unlisted })).env, 'sandbox');
  });

  it('replace the handle in the calls of a server', async () => {
    const token = await tokenFor(player);
    const playerId = await idOf('player_one');
    const who = { playerId, handle: 'player_one' };
    const named = await Promise.all([
      naming({ player_token: token }),
      naming({ player: '@Player_One' }),
      naming({ player: 'nobody_has_it', path: 'scores.2' }),
      naming({ player_token: `${token}x`, path: 'scores.3' }),
    ]);
    const found = await players().resolveAll(db(), named);
    assert.deepEqual(found.slice(0, 2), [who, who]);
    const [, , noOne, wrong] = found;
    assert.ok(noOne instanceof ServiceError && noOne.code === 'no_such_player', String(noOne));
    assert.ok(wrong instanceof ServiceError && wrong.code === 'invalid');
    assert.equal(wrong.details.issues?.[0]?.path, 'scores.3.player_token');
  });

  it('are valid in their own space and env only, and for their time', async () => {
    const other = (await publishLive(service, creator)).space.slug;
    const token = await tokenFor(player);
    const sandbox = await tokenFor(player, { space: slug, sandbox: true });
    assert.deepEqual(await refusal(token, {}, other), ['invalid', 'player_token', 'is of another space']);
    assert.match(String(await refusal(sandbox)), /is of the sandbox/u);
    assert.match(String(await refusal(token, { env: 'sandbox' })), /is of live play/u);
    service.clock.advance({ seconds: 3_601 });
    assert.deepEqual(await refusal(token), ['invalid', 'player_token', 'has expired']);
  });

  it('are invalid once the account is deleted, also if its handle is used again', async () => {
    const leaving = await service.creator('leaving');
    const token = await tokenFor(leaving);
    const gone = { handle: null, email: 'gone@example.org' };
    await db().updateTable('creators').set(gone).where('handle', '=', 'leaving').execute();
    assert.equal((await refusal(token))[0], 'no_such_player');
    await service.creator('leaving');
    assert.equal((await refusal(token))[0], 'no_such_player');
  });

  it('cannot be forged: no other algorithm, key, address or claim is accepted', async () => {
    const token = await tokenFor(player);
    const [, body = '', signature = ''] = token.split('.');
    const { kid } = decodeProtectedHeader(token);
    const published = (await service.anonymous.call('GET', keySet)).json().keys[0];
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = decodeJwt(token);
    /** The attack of RFC 8725 §2.1: the public key, which everyone has, is used as the secret of an HMAC. */
    const confused = (secret: string) => {
      const signed = `${part({ alg: 'HS256', kid })}.${body}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const { SignJWT, generateKeyPair, exportJWK } = await import('jose');
    const own = await generateKeyPair('ES256', { extractable: true });
    const forged = (header: object) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(own.privateKey);
    const wrong = [
      '',
      'x.y.z',
      `${part({ alg: 'none', kid })}.${body}.`,
      `${part({ alg: 'none' })}.${body}.${signature}`,
      confused(JSON.stringify(published)),
      confused(published.x),
      await forged({ kid }),
      await forged({}),
      await forged({ kid: 'none-of-ours' }),
      await forged({ kid, jwk: await exportJWK(own.publicKey) }),
      await forged({ jku: 'https://evil.example/jwks.json', kid: 'evil' }),
      // These are valid signatures, but of other claims.
      `${token.split('.')[0]}.${part({ ...claims, handle: creator.handle })}.${signature}`,
      `${token.split('.')[0]}.${part({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      randomBytes(300).toString('base64url'),
    ];
    for (const each of wrong) {
      assert.deepEqual(
        await refusal(each),
        ['invalid', 'player_token', 'is not a player token of this service'],
        each,
      );
    }
  });

  it('are not issued for a page without an account after it has ended', async () => {
    const { space } = await publishFiles({ ...player, ...service.anonymous }, smallGame);
    const ask = async () => (await player.call('POST', tokenPath, { space: space.slug })).status;
    service.clock.advance({ days: 6, hours: 23 });
    assert.equal(await ask(), 200);
    // The page was not swept yet.
    service.clock.advance({ hours: 1 });
    assert.equal(await ask(), 404);
  });
});
