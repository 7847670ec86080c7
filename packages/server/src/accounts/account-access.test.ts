import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { askUntil } from '../../test/ask-until.ts';
import { fileEntries, listing, smallGame } from '../../test/files.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, type Visitor, visitor } from '../../test/visitor.ts';
import { givenId } from '../platform/db/ids.ts';
import { findSpaceBySlug, lockSpace } from '../spaces/spaces.ts';

const api = '/api/account';

describe('access to an account', () => {
  let service: TestService;
  let ada: SignedUp;
  let stranger: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada' });
    stranger = await signUp(service, { handle: 'stranger' });
  });
  after(() => service.close());

  const start = async (name = 'spaceport on a laptop') =>
    (await service.anonymous.call('POST', '/api/agent/login', { client_name: name })).json();
  const exchange = (login: { device_code: string }) =>
    service.anonymous.call('POST', '/api/agent/token', { device_code: login.device_code });
  const decide = (who: Visitor, code: string, decision: string) =>
    who.call('POST', `${api}/device/decision`, { user_code: code, decision });

  /** Publishes a page without an account. */
  const publish = async () => {
    const answer = await service.anonymous.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files: fileEntries(smallGame),
    });
    assert.equal(answer.status, 201, answer.text());
    const { claimToken, space } = answer.json();
    return { token: claimToken as string, slug: space.slug as string };
  };
  const claim = (who: Visitor, token: string) => who.call('POST', `${api}/claim`, { claim_token: token });

  it('is given to a device by its code, after the account has seen what the device asks for', async () => {
    const login = await start();
    const shown = await ada.call('POST', `${api}/device`, { user_code: login.user_code.toLowerCase() });
    assert.equal(shown.status, 200, shown.text());
    const { asked_at: askedAt, ...asked } = shown.json();
    assert.deepEqual(asked, {
      user_code: login.user_code,
      client_name: 'spaceport on a laptop',
      address: '127.0.0.1',
      your_address: '127.0.0.1',
      scopes: ['publish', 'boards', 'moderate'],
      space: null,
    });
    assert.ok(Date.parse(askedAt) > 0);
    assert.equal((await exchange(login)).json().error, 'authorization_pending');
    assert.equal((await decide(ada, login.user_code, 'approve')).json().decision, 'approve');
    assert.deepEqual(codeOf(await decide(ada, login.user_code, 'deny')), [409, 'conflict']);
    const { access_token: token } = (await exchange(login)).json();

    const [listed, ...others] = (await ada.call('GET', `${api}/tokens`)).json().tokens;
    assert.deepEqual(others, []);
    assert.deepEqual([listed.client_name, listed.last_used_at], ['spaceport on a laptop', null]);
    assert.ok(Date.parse(listed.expires_at) > Date.parse(listed.created_at));
    const me = () =>
      visitor(service).call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${token}` });
    assert.equal((await me()).status, 200);
    // The use is written beside the answer.
    const used = await askUntil(
      () => ada.call('GET', `${api}/tokens`),
      (answer) => answer.json().tokens[0].last_used_at !== null,
    );
    assert.ok(Date.parse(used.json().tokens[0].last_used_at) > 0);

    assert.deepEqual(codeOf(await stranger.call('DELETE', `${api}/tokens/${listed.id}`)), [404, 'not_found']);
    assert.equal((await me()).status, 200);
    assert.deepEqual((await ada.call('DELETE', `${api}/tokens/${listed.id}`)).json(), { removed: true });
    assert.deepEqual(codeOf(await me()), [401, 'unauthorized']);
    assert.deepEqual((await ada.call('GET', `${api}/tokens`)).json().tokens, []);
    assert.deepEqual(codeOf(await ada.call('DELETE', `${api}/tokens/${listed.id}`)), [404, 'not_found']);
  });

  it('is refused to a device whose code is denied; five wrong codes lock the code form', async () => {
    const login = await start();
    assert.equal((await decide(ada, login.user_code, 'deny')).status, 200);
    assert.equal((await exchange(login)).json().error, 'access_denied');
    const who = await signUp(service);
    const look = (code: string) => who.call('POST', `${api}/device`, { user_code: code });
    for (let time = 1; time <= 4; time++)
      assert.deepEqual(codeOf(await look('BBBB-BBBB')), [404, 'not_found']);
    assert.deepEqual(codeOf(await look('BBBB-BBBB')), [429, 'rate_limited']);
    const { user_code: right } = await start();
    assert.deepEqual(codeOf(await look(right)), [429, 'rate_limited']);
    assert.deepEqual(codeOf(await decide(who, right, 'approve')), [429, 'rate_limited']);
  });

  it('is given to each signed-in browser, and each can be signed out', async () => {
    const who = await signUp(service);
    const browsers = [visitor(service), visitor(service), visitor(service)];
    for (const [index, browser] of browsers.entries()) {
      service.clock.advance({ seconds: 1 });
      const sent = { email: who.email, password: who.password };
      await browser.call('POST', `${api}/sign-in`, sent, { 'user-agent': `Browser ${index}` });
    }
    const list = async () => (await who.call('GET', `${api}/sessions`)).json().sessions;
    const sessions = await list();
    assert.deepEqual(sessions.map(({ user_agent: agent }: { user_agent: string | null }) => agent).slice(1), [
      'Browser 2',
      'Browser 1',
      'Browser 0',
    ]);
    assert.deepEqual(
      sessions.map(({ current }: { current: boolean }) => current),
      [true, false, false, false],
    );
    const isIn = async (browser: Visitor) => (await browser.call('GET', api)).json().account !== null;
    const end = (by: Visitor, id: string) => by.call('DELETE', `${api}/sessions/${id}`);
    assert.deepEqual(codeOf(await end(stranger, sessions[1].id)), [404, 'not_found']);
    assert.deepEqual((await end(who, sessions[1].id)).json(), { removed: true });
    assert.deepEqual(await Promise.all(browsers.map(isIn)), [true, true, false]);
    assert.deepEqual((await who.call('DELETE', `${api}/sessions`)).json(), { ended: 2 });
    assert.deepEqual(await Promise.all(browsers.map(isIn)), [false, false, false]);
    assert.equal((await list()).length, 1);
    assert.ok(await isIn(stranger));
  });

  it('is given to a passkey, which has a name and can be removed', async () => {
    const { db } = service.service.platform.database;
    const { id: creatorId } = await db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'ada')
      .executeTakeFirstOrThrow();
    // Passkeys are made by a browser (passkeys.test.ts); this test is about listing,
    // naming and removing them.
    await db
      .insertInto('auth_passkeys')
      .values({
        id: givenId('psk', 'pk1'),
        name: null,
        public_key: 'x',
        creator_id: creatorId,
        credential_id: 'c1',
        counter: 0,
        device_type: 'multiDevice',
        backed_up: 1,
        transports: 'internal',
        created_at: service.clock.now(),
        aaguid: null,
      })
      .execute();
    const list = async () => (await ada.call('GET', `${api}/passkeys`)).json().passkeys;
    assert.deepEqual(
      (await list()).map(({ id, name }: { id: string; name: string | null }) => [id, name]),
      [['pk1', null]],
    );
    const rename = (who: Visitor, name: string) => who.call('PATCH', `${api}/passkeys/pk1`, { name });
    assert.equal((await rename(ada, ' My phone ')).json().passkey.name, 'My phone');
    assert.deepEqual(codeOf(await rename(stranger, 'Mine')), [404, 'not_found']);
    assert.deepEqual(codeOf(await rename(ada, '  ')), [422, 'invalid']);
    assert.equal((await list())[0].name, 'My phone');
    const remove = (who: Visitor) => who.call('DELETE', `${api}/passkeys/pk1`);
    assert.deepEqual(codeOf(await remove(stranger)), [404, 'not_found']);
    assert.deepEqual((await remove(ada)).json(), { removed: true });
    assert.deepEqual(codeOf(await remove(ada)), [404, 'not_found']);
    assert.deepEqual(await list(), []);
  });

  it('takes over a page that was published without an account', async () => {
    const { token } = await publish();
    assert.deepEqual(codeOf(await claim(await signUp(service), token)), [409, 'claim_no_profile']);
    const claimed = await claim(ada, ` ${token}\n`);
    assert.equal(claimed.status, 200, claimed.text());
    assert.equal(claimed.json().owner, 'ada');
    assert.equal((await ada.call('GET', `/api/spaces/${claimed.json().slug}`)).status, 200);
    assert.equal((await claim(ada, token)).json().slug, claimed.json().slug, 'again changes nothing');
    assert.deepEqual(codeOf(await claim(stranger, token)), [404, 'claim_not_found']);
    assert.deepEqual(codeOf(await claim(ada, 'nonsense')), [404, 'claim_not_found']);
    const { token: late } = await publish();
    service.clock.advance({ days: 8 });
    assert.deepEqual(codeOf(await claim(ada, late)), [410, 'claim_expired']);
  });

  it('does not take over a page when the account is banned during the claim', {
    skip: withoutLockWaits,
  }, async () => {
    const { token, slug } = await publish();
    const operator = await service.creator(undefined, { operator: true });
    const badger = await signUp(service, { handle: 'badger' });
    const { database } = service.service.platform;
    const { id } = (await findSpaceBySlug(database.db, slug)) ?? assert.fail();
    const { claiming } = await database.transaction(async (tx) => {
      await lockSpace(tx, id);
      const answer = claim(badger, token);
      await someoneWaits(database.db);
      const ban = await operator.call('POST', '/api/operator/accounts/badger/ban', { reason: 'spam' });
      assert.equal(ban.status, 200, ban.text());
      return { claiming: answer };
    });
    assert.deepEqual(codeOf(await claiming), [403, 'claim_banned']);
    assert.equal((await claim(ada, token)).status, 200);
  });
});
