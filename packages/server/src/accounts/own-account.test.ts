import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import { codeOf } from '../../test/answers.ts';
import { startService, type TestService } from '../../test/service.ts';
import {
  linkIn,
  mailsTo,
  type SignedUp,
  signUp,
  tokenOf,
  type Visitor,
  visitor,
} from '../../test/visitor.ts';

const api = '/api/account';
const all: readonly Operation[] = operations;
const password = 'a long password';

describe('an account, by the calls of our own pages', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000', MAILS_PER_HOUR: '3' } });
  });
  after(() => service.close());

  const read = async (who: Visitor) => (await who.call('GET', api)).json().account;
  const isIn = async (who: Visitor) => (await read(who)) !== null;
  const signIn = (email: string, word: string, who = visitor(service)) =>
    who.call('POST', `${api}/sign-in`, { email, password: word });

  it('is made, signed in to, read, left and found again', async () => {
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

  it('is told about a handle before it is chosen', async () => {
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

  it('takes another name, and a handle once', async () => {
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
    assert.equal((await signIn(who.email, who.password)).status, 401);
    assert.equal((await signIn(who.email, password)).status, 200);
  });

  it('gets a forgotten password back by mail, and says nothing to anybody else', async () => {
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

  it('confirms its address, and sends the link again until then', async () => {
    const who = await signUp(service);
    assert.deepEqual((await who.call('POST', `${api}/email/send`)).json(), { requested: true });
    const [first, second] = (await mailsTo(service, who.email)).map((mail) => tokenOf(linkIn(mail)));
    const confirm = (token: string | undefined) =>
      visitor(service).call('POST', `${api}/email/confirm`, { token });
    assert.deepEqual((await confirm(first)).json(), { confirmed: true });
    assert.equal((await read(who)).email_verified, true);
    // Pressed twice, or the other link of the two: it is confirmed all the same.
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

  it('opens to no API token, and changes for no other site', async () => {
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

  it('is nobody’s once it is banned', async () => {
    const operator = await service.creator(undefined, { operator: true });
    const who = await signUp(service, { handle: 'troll' });
    await operator.call('POST', '/api/operator/accounts/troll/ban', { reason: 'spam' });
    assert.equal(await read(who), null);
    assert.deepEqual(codeOf(await who.call('PATCH', api, { name: 'New' })), [401, 'unauthorized']);
    assert.deepEqual(codeOf(await signIn(who.email, who.password)), [403, 'forbidden']);
  });
});

describe('another e-mail address', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
  });
  after(() => service.close());

  const ask = (who: SignedUp, email: string, word = who.password) =>
    who.call('POST', `${api}/email`, { email, password: word });
  const confirm = (token: string) => visitor(service).call('POST', `${api}/email/confirm`, { token });
  const emailOf = async (who: Visitor) => (await who.call('GET', api)).json().account.email;
  let count = 0;
  const fresh = () => `fresh${++count}@example.org`;
  /** The token of the link that was sent to the address last. */
  const linkTo = async (email: string) => tokenOf(linkIn((await mailsTo(service, email)).at(-1)));

  it('is the account’s once its mail was read, and the old one is told', async () => {
    const who = await signUp(service);
    const email = fresh();
    const asked = await ask(who, ` ${email.toUpperCase()}`);
    assert.deepEqual([asked.status, asked.json()], [202, { requested: true, email }]);
    assert.equal(await emailOf(who), who.email);
    const token = await linkTo(email);
    assert.deepEqual((await confirm(token)).json(), { confirmed: true });
    const account = (await who.call('GET', api)).json().account;
    assert.deepEqual([account.email, account.email_verified], [email, true]);
    const told = (await mailsTo(service, who.email)).at(-1) ?? '';
    assert.match(told, /Subject: Your e-mail address was changed/u);
    assert.ok(told.includes(email));
    const signIn = (address: string) =>
      visitor(service).call('POST', `${api}/sign-in`, { email: address, password: who.password });
    assert.equal((await signIn(who.email)).status, 401);
    assert.equal((await signIn(email)).status, 200);
    assert.equal((await confirm(token)).status, 422, 'it works once');
  });

  it('needs the password, and an address that is free', async () => {
    const who = await signUp(service);
    const { email: taken } = await signUp(service);
    const email = fresh();
    for (const [address, word, path] of [
      [email, 'wrong', 'password'],
      ['no address', who.password, 'email'],
      [who.email, who.password, 'email'],
      [taken, who.password, 'email'],
    ] as const) {
      const answer = await ask(who, address, word);
      assert.deepEqual([...codeOf(answer), answer.json().issues[0].path], [422, 'invalid', path]);
    }
    assert.deepEqual(await mailsTo(service, email), []);
  });

  it('goes to whoever makes it theirs first', async () => {
    const email = fresh();
    const askers = [await signUp(service), await signUp(service), await signUp(service)];
    const tokens: string[] = [];
    for (const who of askers) {
      await ask(who, email);
      tokens.push(await linkTo(email));
    }
    const answers = await Promise.all(tokens.map(confirm));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422]);
    const having = await Promise.all(askers.map(emailOf));
    assert.equal(having.filter((address) => address === email).length, 1);
  });

  it('is no more to be had once the account moved on, or its password was changed or reset', async () => {
    const onward: Record<string, (who: SignedUp) => Promise<unknown>> = {
      'another address': async (who) => {
        const other = fresh();
        await ask(who, other);
        assert.equal((await confirm(await linkTo(other))).status, 200);
      },
      'a change': (who) =>
        who.call('POST', `${api}/password`, { current: who.password, password: 'another password' }),
      'a reset': async (who) => {
        await who.call('POST', `${api}/password-reset`, { email: who.email });
        const token = await linkTo(who.email);
        await who.call('POST', `${api}/password-reset/confirm`, { token, password: 'another password' });
      },
    };
    for (const [name, happens] of Object.entries(onward)) {
      const who = await signUp(service);
      const email = fresh();
      await ask(who, email);
      const token = await linkTo(email);
      await happens(who);
      assert.equal((await confirm(token)).status, 422, name);
      const { db } = service.service.platform.database;
      assert.equal(
        await db.selectFrom('creators').select('id').where('email', '=', email).executeTakeFirst(),
        undefined,
      );
    }
  });

  it('is asked for without script too', async () => {
    const who = await signUp(service);
    const email = fresh();
    const wrong = await who.post('/settings/email', { email, password: 'wrong' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text(), /<p class="error"[^>]*>It is not your password/u);
    const asked = await who.post('/settings/email', { email, password: who.password });
    assert.equal(asked.headers.location, '/settings?done=address');
    const opened = linkIn((await mailsTo(service, email)).at(-1));
    assert.equal((await visitor(service).post('/verify', { token: tokenOf(opened) })).status, 200);
    assert.equal(await emailOf(who), email);
  });
});
