import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import { codeOf } from '../../test/answers.ts';
import { approveAll } from '../../test/approvals.ts';
import { startService, type TestService } from '../../test/service.ts';
import { linkIn, mailsTo, signUp, tokenOf, type Visitor, visitor } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

const api = '/api/account';
const all: readonly Operation[] = operations;
const password = 'a long password';

describe('an account, by the calls of the service’s own pages', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000', MAILS_PER_HOUR: '3' } });
  });
  after(() => service.close());

  const read = async (who: Visitor) => (await who.call('GET', api)).json().account;
  const isIn = async (who: Visitor) => (await read(who)) !== null;
  const signIn = (email: string, word: string, who = visitor(service)) =>
    who.call('POST', `${api}/sign-in`, { email, password: word });

  it('is created, signed in to, read, signed out of and signed in to again', async () => {
    const who = visitor(service);
    assert.equal(await read(who), null);
    const made = await who.call('POST', `${api}/sign-up`, {
      name: ' Ada ',
      email: 'Ada@Example.org',
      password,
    });
    assert.equal(made.status, 201, made.text());
    assert.deepEqual(made.json(), { signed_in: true });
    assert.match(made.headers['set-cookie']?.[0] ?? '', /HttpOnly; SameSite=Lax$/u);
    const { created_at: createdAt, ...account } = await read(who);
    assert.deepEqual(account, {
      name: 'Ada',
      handle: null,
      url: null,
      email: 'ada@example.org',
      email_verified: false,
      operator: true,
    });
    assert.ok(Date.parse(createdAt) > 0);

    assert.deepEqual((await who.call('POST', `${api}/sign-out`)).json(), { signed_out: true });
    assert.equal(who.cookies.size, 0);
    assert.equal(await read(who), null);
    const wrong = await signIn('ada@example.org', 'not the password', who);
    assert.deepEqual(codeOf(wrong), [401, 'unauthorized']);
    assert.equal(who.cookies.size, 0);
    const again = await signIn(' ADA@example.org', password, who);
    assert.deepEqual([again.status, again.json()], [200, { signed_in: true }]);
    assert.ok(await isIn(who));
  });

  it('is refused beside the field that is wrong', async () => {
    const form = { name: 'Ada', email: 'ada2@example.org', password };
    const { email: taken } = await signUp(service);
    for (const [change, path] of [
      [{ name: ' ' }, 'name'],
      [{ email: 'no address' }, 'email'],
      [{ email: taken }, 'email'],
      [{ password: 'short' }, 'password'],
      [{ more: 1 }, 'more'],
    ] as const) {
      const who = visitor(service);
      const answer = await who.call('POST', `${api}/sign-up`, { ...form, ...change });
      assert.deepEqual(codeOf(answer), [422, 'invalid'], answer.text());
      assert.equal(answer.json().issues[0].path, path);
      assert.equal(who.cookies.size, 0);
    }
  });

  it('can check whether a handle is free before choosing it', async () => {
    const { handle: taken } = await service.creator();
    const who = await signUp(service);
    const check = async (handle: string) =>
      (await who.call('GET', `${api}/handle?handle=${encodeURIComponent(handle)}`)).json();
    assert.deepEqual(await check('@Free_One'), { handle: 'free_one', problem: null });
    assert.deepEqual(await check(taken.toUpperCase()), { handle: taken, problem: 'is taken' });
    assert.deepEqual(await check('admin'), { handle: 'admin', problem: 'is a reserved word' });
    assert.match((await check('1st')).problem, /^must be 3 to 24/u);
    const nobody = await visitor(service).call('GET', `${api}/handle?handle=free_one`);
    assert.deepEqual(codeOf(nobody), [401, 'unauthorized']);
  });

  it('changes its name, and chooses a handle once', async () => {
    const who = await signUp(service);
    const renamed = await who.call('PATCH', api, { name: 'Grace' });
    assert.equal(renamed.json().account.name, 'Grace');
    const bad = await who.call('POST', `${api}/handle`, { handle: 'admin' });
    assert.deepEqual([...codeOf(bad), bad.json().issues[0].path], [422, 'invalid', 'handle']);
    const chosen = await who.call('POST', `${api}/handle`, { handle: '@Grace_H' });
    assert.equal(chosen.json().account.handle, 'grace_h');
    assert.equal(chosen.json().account.url, `${service.baseUrl}/@grace_h`);
    assert.deepEqual(codeOf(await who.call('POST', `${api}/handle`, { handle: 'other' })), [409, 'conflict']);
    const second = await signUp(service);
    const taken = await second.call('POST', `${api}/handle`, { handle: 'GRACE_H' });
    assert.deepEqual(codeOf(taken), [422, 'invalid']);
    assert.equal((await read(second)).handle, null);
  });

  it('changes its password, which signs out every other browser', async () => {
    const who = await signUp(service);
    const other = visitor(service);
    await signIn(who.email, who.password, other);
    const change = (current: string, next: string) =>
      who.call('POST', `${api}/password`, { current, password: next });
    for (const [current, next, path] of [
      ['wrong', password, 'current'],
      [who.password, 'short', 'password'],
    ] as const) {
      const answer = await change(current, next);
      assert.deepEqual([...codeOf(answer), answer.json().issues[0].path], [422, 'invalid', path]);
    }
    assert.ok(await isIn(other));
    assert.deepEqual((await change(who.password, password)).json(), { changed: true });
    assert.ok(await isIn(who));
    assert.ok(!(await isIn(other)));
    assert.deepEqual(codeOf(await signIn(who.email, who.password)), [401, 'unauthorized']);
    assert.equal((await signIn(who.email, password)).status, 200);
  });

  it('withdraws approvals that were not exchanged for a token yet, when it changes its password', async () => {
    const who = await signUp(service);
    const { exchangeAll } = await approveAll(service, who);
    const change = { current: who.password, password };
    assert.equal((await who.call('POST', `${api}/password`, change)).status, 200);
    assert.deepEqual(await exchangeAll(), ['access_denied', 'invalid_grant']);
  });

  it('resets a forgotten password by mail, and the answer does not tell whether the account exists', async () => {
    const who = await signUp(service);
    const ask = (email: string) => visitor(service).call('POST', `${api}/password-reset`, { email });
    const known = await ask(who.email);
    const unknown = await ask('nobody@example.org');
    assert.deepEqual([known.status, known.json()], [202, { requested: true }]);
    assert.deepEqual([unknown.status, unknown.json()], [202, { requested: true }]);
    const mails = await mailsTo(service, who.email);
    const token = tokenOf(linkIn(mails.find((mail) => mail.includes('Choose a new password'))));
    const use = (word: string) =>
      visitor(service).call('POST', `${api}/password-reset/confirm`, { token, password: word });
    const short = await use('short');
    assert.equal(short.json().issues[0].path, 'password');
    assert.deepEqual((await use(password)).json(), { changed: true });
    const used = await use(password);
    assert.deepEqual([...codeOf(used), used.json().issues[0].path], [422, 'invalid', 'token']);
    assert.ok(!(await isIn(who)));
    assert.equal((await signIn(who.email, password)).status, 200);
    for (let time = 1; time <= 2; time++) assert.equal((await ask(who.email)).status, 202);
    assert.deepEqual(codeOf(await ask(who.email)), [429, 'rate_limited']);
  });

  it('confirms its address, and has the link sent again until then', async () => {
    const who = await signUp(service);
    assert.deepEqual((await who.call('POST', `${api}/email/send`)).json(), { requested: true });
    const [first, second] = (await mailsTo(service, who.email)).map((mail) => tokenOf(linkIn(mail)));
    const confirm = (token: string | undefined) =>
      visitor(service).call('POST', `${api}/email/confirm`, { token });
    assert.deepEqual((await confirm(first)).json(), { confirmed: true });
    assert.equal((await read(who)).email_verified, true);
    // The link is pressed twice, or the other of two links is used: both confirm the address.
    assert.equal((await confirm(first)).status, 200);
    assert.equal((await confirm(second)).status, 200);
    await who.call('POST', `${api}/email/send`);
    assert.equal((await mailsTo(service, who.email)).length, 2);
    service.clock.advance({ minutes: 61 });
    for (const token of [first, 'nonsense', '']) {
      const answer = await confirm(token);
      assert.deepEqual([...codeOf(answer), answer.json().issues[0].path], [422, 'invalid', 'token']);
    }
  });

  it('is not open to API tokens, and is not changed by requests from other sites', async () => {
    const who = await signUp(service);
    const { token } = await service.creator();
    const own = all.filter(({ path }) => path.startsWith(api));
    assert.ok(own.length >= 22);
    for (const { id, method, path, credential, body } of own) {
      const address = path.replaceAll(/\{\w+\}/gu, 'something');
      const sent = body ? {} : undefined;
      if (credential === 'session') {
        const answer = await visitor(service).call(method, address, sent, {
          authorization: `Bearer ${token}`,
        });
        assert.deepEqual(codeOf(answer), [401, 'unauthorized'], id);
      }
      if (method === 'GET') continue;
      for (const headers of [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        { 'sec-fetch-site': 'same-site', origin: 'http://game.play.localhost' },
      ]) {
        const answer = await who.call(method, address, sent, headers);
        assert.deepEqual(codeOf(answer), [403, 'forbidden'], id);
      }
    }
    assert.ok(await isIn(who));
  });

  it('is refused to everyone while it is banned', async () => {
    const operator = await service.creator(undefined, { operator: true });
    const who = await signUp(service, { handle: 'troll' });
    await operator.call('POST', '/api/operator/accounts/troll/ban', { reason: 'spam' });
    assert.equal(await read(who), null);
    assert.deepEqual(codeOf(await who.call('PATCH', api, { name: 'New' })), [401, 'unauthorized']);
    assert.deepEqual(codeOf(await signIn(who.email, who.password)), [403, 'forbidden']);
  });
});

describe('the limits on the account calls of the service’s own pages', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      environment: { SIGN_IN_TRIES: '2', SIGN_UPS_PER_HOUR: '4', MAILS_PER_HOUR: '1' },
    });
  });
  after(() => service.close());

  it('hold for wrong passwords in every form that asks for one', async () => {
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

  it('hold for mails and for new accounts', async () => {
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
    // Checking whether an address is taken counts as much as taking one.
    assert.deepEqual(codeOf(await make(1)), [422, 'invalid']);
    assert.deepEqual(codeOf(await make(4)), [429, 'rate_limited']);
  });

  it('refuse a device code that was already decided or never issued', async () => {
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
