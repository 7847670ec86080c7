import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { startService, type TestService } from '../../test/service.ts';
import { signUp, visitor } from '../../test/visitor.ts';

const api = '/api/account';

describe('the limits of an account, by the calls of our own pages', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      environment: { SIGN_IN_TRIES: '2', SIGN_UPS_PER_HOUR: '4', MAILS_PER_HOUR: '1' },
    });
  });
  after(() => service.close());

  it('hold for passwords that are guessed, wherever one is asked for', async () => {
    const guesses: Record<string, object> = {
      'sign-in': { password: 'guessed' },
      password: { current: 'guessed', password: 'a new password' },
      email: { email: 'new@example.org', password: 'guessed' },
    };
    for (const [path, body] of Object.entries(guesses)) {
      const who = await signUp(service);
      const sent = path === 'sign-in' ? { email: who.email, ...body } : body;
      const guess = () => who.call('POST', `${api}/${path}`, sent);
      for (let time = 1; time <= 2; time++) assert.notEqual((await guess()).status, 429, path);
      const limited = await guess();
      assert.deepEqual(codeOf(limited), [429, 'rate_limited'], path);
      assert.ok(Number(limited.headers['retry-after']) > 0);
      service.clock.advance({ hours: 1 });
    }
  });

  it('hold for messages and for new accounts', async () => {
    const who = await signUp(service);
    const again = () => who.call('POST', `${api}/email/send`);
    assert.equal((await again()).status, 202);
    assert.deepEqual(codeOf(await again()), [429, 'rate_limited']);
    const make = (index: number) =>
      visitor(service).call('POST', `${api}/sign-up`, {
        name: 'Ada',
        email: `limit${index}@example.org`,
        password: 'a long password',
      });
    for (let index = 1; index <= 2; index++) assert.equal((await make(index)).status, 201);
    // Asking whether an address is taken costs as much as taking one.
    assert.deepEqual(codeOf(await make(1)), [422, 'invalid']);
    assert.deepEqual(codeOf(await make(4)), [429, 'rate_limited']);
  });

  it('end a code of a device that was used or never given', async () => {
    service.clock.advance({ hours: 2 });
    const who = await signUp(service);
    const { user_code: code } = (await service.anonymous.call('POST', '/api/agent/login')).json();
    const decide = (typed: string) =>
      who.call('POST', `${api}/device/decision`, { user_code: typed, decision: 'deny' });
    assert.deepEqual(codeOf(await decide('BBBB-BBBB')), [404, 'not_found']);
    assert.equal((await decide(code)).status, 200);
    const look = await who.call('POST', `${api}/device`, { user_code: code });
    assert.deepEqual(codeOf(look), [409, 'conflict']);
  });
});
