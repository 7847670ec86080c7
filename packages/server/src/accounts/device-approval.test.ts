import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deviceCalls, requireRefused } from '../../test/device.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';

describe('the approval of a device that signs in', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada', name: 'Ada Lovelace' });
  });
  after(() => service.close());

  const { start, exchange } = deviceCalls(() => service);
  const decide = (userCode: string, decision: string, who = ada) =>
    who.post('/device', { user_code: userCode, decision });

  it('needs a signed-in account, and returns to the code after the sign-in', async () => {
    const { user_code, device_code } = await start();
    const nobody = visitor(service);
    const answer = await nobody.get(`/device?user_code=${user_code}`);
    assert.equal(answer.status, 303);
    const { location = '' } = answer.headers;
    assert.equal(location, `/sign-in?next=${encodeURIComponent(`/device?user_code=${user_code}`)}`);
    assert.match(
      (await nobody.get(location)).text(),
      new RegExp(`value="/device\\?user_code=${user_code}"`, 'u'),
    );
    assert.equal((await nobody.post('/device', { user_code, decision: 'approve' })).status, 303);
    requireRefused(await exchange(device_code), 'authorization_pending');
  });

  it('shows which program asks, from where, when, and for which account', async () => {
    const { user_code } = await start({ client_name: 'spaceport on a laptop' });
    const text = (await ada.get(`/device?user_code=${user_code.toLowerCase().replace('-', ' ')}`)).text();
    assert.match(text, /Did you start this\?/u);
    assert.match(text, /spaceport on a laptop/u);
    assert.match(text, /127\.0\.0\.1/u);
    assert.match(
      text,
      new RegExp(`<time datetime="${new Date(service.clock.now()).toISOString().slice(0, 13)}`, 'iu'),
    );
    assert.match(text, /@ada/u);
    assert.match(text, new RegExp(user_code, 'u'));
  });

  it('does not happen by opening the page', async () => {
    const { user_code, device_code } = await start();
    await ada.get(`/device?user_code=${user_code}&decision=approve`);
    requireRefused(await exchange(device_code), 'authorization_pending');
  });

  it('cannot be sent from another site’s page or framed by one', async () => {
    const { user_code, device_code } = await start();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'http://game.play.localhost' },
    ]) {
      const answer = await ada.post('/device', { user_code, decision: 'approve' }, headers);
      assert.equal(answer.status, 403);
      assert.match(answer.text(), /was not sent from one of our own pages/u);
    }
    requireRefused(await exchange(device_code), 'authorization_pending');
    const { headers } = await ada.get(`/device?user_code=${user_code}`);
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/u);
    assert.equal(headers['x-frame-options'], 'DENY');
  });

  it('escapes the name of a program', async () => {
    const evil = `<script>alert(1)</script>"><img src=x onerror=alert(1)>'`;
    const { user_code } = await start({ client_name: evil });
    for (const answer of [
      await ada.get(`/device?user_code=${user_code}`),
      await decide(user_code, 'approve'),
      await ada.get('/settings'),
      await ada.get(`/device?user_code=${encodeURIComponent(evil)}`),
    ]) {
      assert.ok(!answer.text().includes('<script>alert'));
      assert.ok(!answer.text().includes('<img'));
    }
  });

  it('decides once when yes and no are sent at the same time', async () => {
    const { user_code } = await start();
    const answers = await Promise.all(['approve', 'deny'].map((decision) => decide(user_code, decision)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  it('is locked for fifteen minutes after five wrong codes in a session', async () => {
    const who = await signUp(service, { handle: 'guesser' });
    const { user_code } = await start();
    for (let wrong = 1; wrong <= 4; wrong++) {
      const user_code = `BBBB-BBB${'BCDF'[wrong - 1]}`;
      const answer = await who.post('/device', { user_code, decision: 'approve' });
      assert.equal(answer.status, 404);
      assert.match(answer.text(), /That code is wrong/u);
    }
    assert.equal((await who.get(`/device?user_code=${user_code}`)).status, 200);
    const fifth = await who.post('/device', { user_code: 'nonsense', decision: 'approve' });
    assert.equal(fifth.status, 429);
    assert.equal(fifth.headers['retry-after'], '900');
    assert.equal((await who.get(`/device?user_code=${user_code}`)).status, 429);
    assert.equal((await decide(user_code, 'approve', who)).status, 429);
    // Another session is not locked.
    assert.equal((await ada.get(`/device?user_code=${user_code}`)).status, 200);
    service.clock.advance({ minutes: 14 });
    assert.equal((await who.get('/device?user_code=BBBB-BBBB')).status, 429);
    service.clock.advance({ minutes: 1, seconds: 1 });
    const { user_code: later } = await start();
    assert.equal((await who.get(`/device?user_code=${later}`)).status, 200);
    assert.equal((await who.get('/device?user_code=BBBB-BBBB')).status, 404);
  });

  it('is not locked by requests that another site makes a browser send', async () => {
    const who = await signUp(service, { handle: 'lured' });
    for (let time = 1; time <= 20; time++)
      assert.equal((await who.get('/device?user_code=BBBB-BBBB')).status, 404);
    assert.equal((await who.get('/device?user_code=BBBB-BBBB')).status, 429, 'codes are not tried so');
    const { user_code } = await start();
    assert.equal((await decide(user_code, 'approve', who)).status, 200);
    service.clock.advance({ minutes: 1 });
    assert.equal((await who.get('/device?user_code=BBBB-BBBB')).status, 404);
  });

  it('counts wrong codes exactly, also when they are sent at the same time', async () => {
    const who = await signUp(service, { handle: 'guessers' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => who.post('/device', { user_code: 'BBBB-BBBB', decision: 'approve' })),
    );
    assert.equal(answers.filter(({ status }) => status === 404).length, 4);
    assert.equal(answers.filter(({ status }) => status === 429).length, 4);
  });
});
