import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { deviceCalls, requireRefused } from '../../test/device.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import { givenId } from '../platform/db/ids.ts';
import { setBanned } from './ban.ts';

describe('a device that signs in', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada', name: 'Ada Lovelace' });
  });
  after(() => service.close());

  const { api, start, exchange } = deviceCalls(() => service);
  const decide = (userCode: string, decision: string, who = ada) =>
    who.post('/device', { user_code: userCode, decision });

  it('gets the code and the address to show, and the interval for polling', async () => {
    const answer = await api('/api/agent/login', { client_name: 'spaceport on a laptop' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { device_code, user_code, ...rest } = answer.json();
    assert.match(device_code, /^sp_device_[A-Za-z0-9_-]{49}$/u);
    assert.match(user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/u);
    assert.deepEqual(rest, {
      verification_uri: `${service.baseUrl}/device`,
      verification_uri_complete: `${service.baseUrl}/device?user_code=${user_code}`,
      expires_in: 900,
      interval: 5,
    });
  });

  it('may send an empty request or unknown fields', async () => {
    for (const body of [
      undefined,
      {},
      { client_name: '' },
      { client_id: 'x', scope: 'all', grant_type: 'y' },
    ]) {
      assert.equal((await api('/api/agent/login', body)).status, 200);
    }
    const { device_code } = await start();
    const answer = await api('/api/agent/token', { device_code, grant_type: 'urn:x', client_id: 'y' });
    requireRefused(answer, 'authorization_pending');
  });

  it('is refused when its body is invalid', async () => {
    for (const body of [
      [],
      'x',
      { client_name: 7 },
      { client_name: 'x'.repeat(81) },
      { client_name: 'a\u0007' },
    ]) {
      const answer = await api('/api/agent/login', body);
      assert.equal(answer.status, 422, JSON.stringify(body));
      assert.equal(answer.json().error, 'invalid');
    }
    for (const body of [undefined, {}, { device_code: 7 }, '{"device_code":']) {
      assert.deepEqual(codeOf(await api('/api/agent/token', body)), [422, 'invalid'], JSON.stringify(body));
    }
  });

  it('gets its token after the creator approves, and is told the scopes of the token', async () => {
    const { device_code, user_code } = await start({ client_name: 'my editor' });
    requireRefused(await exchange(device_code), 'authorization_pending');
    const approved = await decide(user_code, 'approve');
    assert.equal(approved.status, 200);
    assert.match(approved.text(), /<strong>my editor<\/strong> is signed in/u);
    const answer = await exchange(device_code);
    assert.equal(answer.status, 200);
    const { access_token, expires_at, ...rest } = answer.json();
    assert.match(access_token, /^sp_token_/u);
    const seconds = 90 * 24 * 3600;
    assert.ok(Math.abs(Date.parse(expires_at) - service.clock.now() - seconds * 1000) < 10_000);
    assert.ok(rest.expires_in <= seconds && rest.expires_in > seconds - 10);
    assert.equal(rest.token_type, 'Bearer');
    assert.deepEqual(rest.creator, { handle: 'ada', name: 'Ada Lovelace' });

    const me = await service.anonymous.call('GET', '/api/agent/me', undefined, {
      authorization: `Bearer ${access_token}`,
    });
    assert.equal(me.status, 200);
    assert.equal(me.json().token.client_name, 'my editor');
    assert.equal(me.json().creator.handle, 'ada');
    assert.match((await ada.get('/settings')).text(), /my editor/u);
  });

  it('gets one token when it asks several times at once', async () => {
    const { device_code, user_code } = await start();
    await decide(user_code, 'approve');
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => exchange(device_code)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
    for (const answer of answers) if (answer.status === 400) requireRefused(answer, 'invalid_grant');
    requireRefused(await exchange(device_code), 'invalid_grant');
  });

  it('is told when the creator denies the request', async () => {
    const { device_code, user_code } = await start({ client_name: 'somebody' });
    const answer = await decide(user_code, 'deny');
    assert.match(answer.text(), /<strong>somebody<\/strong> was not signed in/u);
    requireRefused(await exchange(device_code), 'access_denied');
    requireRefused(await exchange(device_code), 'access_denied');
    assert.equal((await decide(user_code, 'approve')).status, 409);
  });

  it('is denied by any decision other than approve', async () => {
    const { device_code, user_code } = await start();
    await ada.post('/device', { user_code });
    requireRefused(await exchange(device_code), 'access_denied');
  });

  it('is told to poll five seconds more slowly each time it asks too often', async () => {
    const { device_code, user_code } = await start();
    requireRefused(await exchange(device_code), 'authorization_pending');
    const early = await exchange(device_code);
    requireRefused(early, 'slow_down');
    assert.equal(early.json().interval, 10);
    service.clock.advance({ seconds: 6 });
    requireRefused(await exchange(device_code), 'slow_down');
    service.clock.advance({ seconds: 15 });
    requireRefused(await exchange(device_code), 'authorization_pending');
    await decide(user_code, 'approve');
    assert.equal((await exchange(device_code)).status, 200);
  });

  it('is told when its code has expired, approved or not', async () => {
    const pending = await start();
    const approved = await start();
    await decide(approved.user_code, 'approve');
    service.clock.advance({ seconds: 901 });
    requireRefused(await exchange(pending.device_code), 'expired_token');
    requireRefused(await exchange(approved.device_code), 'expired_token');
    const late = await decide(pending.user_code, 'approve');
    assert.equal(late.status, 409);
    assert.match(late.text(), /has expired/u);
    service.clock.advance({ days: 2 });
    await service.service.sweep();
    requireRefused(await exchange(pending.device_code), 'invalid_grant');
    await ada.post('/sign-in', { email: ada.email, password: ada.password });
  });

  it('gets nothing for an unknown code or for another kind of credential', async () => {
    const { token } = await service.creator();
    const { device_code } = await start();
    for (const code of ['', 'nonsense', token, `${device_code.slice(0, -1)}0`, device_code.toUpperCase()]) {
      if (code !== device_code) requireRefused(await exchange(code), 'invalid_grant');
    }
  });

  it('gets nothing for an account that was banned after the approval', async () => {
    const who = await signUp(service, { handle: 'troll' });
    const { device_code, user_code } = await start();
    await decide(user_code, 'approve', who);
    const { platform } = service.service;
    const troll = await platform.database.db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'troll')
      .executeTakeFirst();
    await platform.database.transaction((tx) => setBanned(tx, troll?.id ?? givenId('usr', ''), true));
    requireRefused(await exchange(device_code), 'access_denied');
  });

  it('leaves no code in the database that could be exchanged', async () => {
    const { device_code } = await start();
    const { db } = service.service.platform.database;
    const rows = JSON.stringify(await db.selectFrom('device_logins').selectAll().execute());
    assert.ok(!rows.includes(device_code));
    assert.ok(!rows.includes(device_code.slice('sp_device_'.length)));
  });
});

describe('the limit on device sign-ins', () => {
  it('holds for one address, and its refusal says when to try again', async () => {
    const service = await startService({ environment: { DEVICE_LOGINS_PER_HOUR: '3' } });
    try {
      const start = () => service.anonymous.call('POST', '/api/agent/login');
      const answers = await Promise.all([1, 2, 3, 4, 5].map(start));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429, 429]);
      const limited = answers.find(({ status }) => status === 429);
      assert.equal(limited?.json().error, 'rate_limited');
      service.clock.advance({ seconds: Number(limited?.headers['retry-after']) });
      assert.equal((await start()).status, 200);
    } finally {
      await service.close();
    }
  });
});
