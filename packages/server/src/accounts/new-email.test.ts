import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
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

describe('a new e-mail address', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
  });
  after(() => service.close());

  const ask = (who: SignedUp, email: string, word = who.password) =>
    who.call('POST', `${api}/email`, { email, password: word });
  const confirm = (token: string) => visitor(service).call('POST', `${api}/email/confirm`, { token });
  const emailOf = async (who: Visitor) => (await who.call('GET', api)).json().account.email;
  const refusal = (answer: RawAnswer) => [...codeOf(answer), answer.json().issues[0].path];
  const linkRefused = [422, 'invalid', 'token'];
  let count = 0;
  const fresh = () => `fresh${++count}@example.org`;
  /** Returns the token of the last link that was sent to the address. */
  const linkTo = async (email: string) => tokenOf(linkIn((await mailsTo(service, email)).at(-1)));

  it('replaces the old one after its link is opened, and the old address is told', async () => {
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
    assert.deepEqual(codeOf(await signIn(who.email)), [401, 'unauthorized']);
    assert.equal((await signIn(email)).status, 200);
    assert.deepEqual(refusal(await confirm(token)), linkRefused, 'it works once');
  });

  it('needs the password, and must not be in use', async () => {
    const who = await signUp(service);
    const { email: taken } = await signUp(service);
    const email = fresh();
    for (const [address, word, path, message] of [
      [email, 'wrong', 'password', 'is not your password'],
      ['no address', who.password, 'email', 'is not an e-mail address'],
      [who.email, who.password, 'email', 'is already your address'],
      [taken, who.password, 'email', 'has an account already'],
    ] as const) {
      const answer = await ask(who, address, word);
      assert.deepEqual(refusal(answer), [422, 'invalid', path]);
      assert.equal(answer.json().issues[0].message, message);
    }
    assert.deepEqual(await mailsTo(service, email), []);
  });

  it('goes to the first account that confirms it', async () => {
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

  it('is not confirmed after the account took another address or its password was changed or reset', async () => {
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
      assert.deepEqual(refusal(await confirm(token)), linkRefused, name);
      const { db } = service.service.platform.database;
      assert.equal(
        await db.selectFrom('creators').select('id').where('email', '=', email).executeTakeFirst(),
        undefined,
      );
    }
  });

  it('can be requested without script too', async () => {
    const who = await signUp(service);
    const email = fresh();
    const wrong = await who.post('/settings/email', { email, password: 'wrong' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text(), /<p[^>]* class="error"[^>]*>It is not your password/u);
    const asked = await who.post('/settings/email', { email, password: who.password });
    assert.equal(asked.headers.location, '/settings?done=address');
    const opened = linkIn((await mailsTo(service, email)).at(-1));
    assert.equal((await visitor(service).post('/verify', { token: tokenOf(opened) })).status, 200);
    assert.equal(await emailOf(who), email);
  });
});
