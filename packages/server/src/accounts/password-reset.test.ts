import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { approveAll } from '../../test/approvals.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { startService, type TestService } from '../../test/service.ts';
import { timeless } from '../../test/timeless.ts';
import { linkIn, mailsTo, type SignedUp, signUp, tokenOf, visitor } from '../../test/visitor.ts';

const password = 'another long password';

describe('resetting a password', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { MAILS_PER_HOUR: '4', SIGN_UPS_PER_HOUR: '1000' } });
  });
  after(() => service.close());

  const ask = (email: string) => visitor(service).post('/reset', { email });
  const use = (token: string, next = password) =>
    visitor(service).post('/reset/new', { token, password: next });
  const signIn = (email: string, word: string) =>
    visitor(service).post('/sign-in', { email, password: word });

  const requireLinkRefused = (answer: RawAnswer, why = 'the link is refused') => {
    assert.equal(answer.status, 422, why);
    assert.match(answer.text(), /wrong, used or too old/u, why);
  };

  /** Signs up and returns the link for a new password. */
  async function linkFor(): Promise<string> {
    ada = await signUp(service);
    assert.equal((await ask(ada.email)).status, 200);
    const mails = await mailsTo(service, ada.email);
    const mail = mails.find((text) => text.includes('Subject: Choose a new password'));
    return linkIn(mail);
  }

  it('answers the same for known and unknown addresses, and mails only the known', async () => {
    const { email } = await signUp(service);
    const known = await ask(email);
    const unknown = await ask('nobody@example.org');
    assert.equal(known.status, 200);
    const said = (text: string, address: string) => timeless(text).replaceAll(address, '…');
    assert.equal(said(known.text(), email), said(unknown.text(), 'nobody@example.org'));
    assert.deepEqual(await mailsTo(service, 'nobody@example.org'), []);
  });

  it('writes the same rows for known and unknown addresses before it answers', async () => {
    const serving = await startService({ role: 'serve' });
    try {
      const { email } = await signUp(serving);
      const { db } = serving.service.platform.database;
      const written = async () =>
        Promise.all(
          (['jobs', 'auth_verifications', 'outgoing_mails'] as const).map(async (table) => {
            const { count } = await db
              .selectFrom(table)
              .select(({ fn }) => fn.countAll().as('count'))
              .executeTakeFirstOrThrow();
            return Number(count);
          }),
        );
      const asked = async (address: string) => {
        const before = await written();
        await visitor(serving).post('/reset', { email: address });
        return (await written()).map((count, at) => count - (before[at] ?? 0));
      };
      assert.deepEqual(await asked(email), [1, 0, 0]);
      assert.deepEqual(await asked('nobody@example.org'), [1, 0, 0]);
    } finally {
      await serving.close();
    }
  });

  it('sets the password by the link, confirms the address and ends every session', async () => {
    const link = await linkFor();
    assert.match((await visitor(service).get(link)).text(), /Choose a new password/u);
    const done = await use(tokenOf(link));
    assert.equal(done.headers.location, '/sign-in?done=reset');
    assert.equal((await ada.get('/settings')).status, 303);
    assert.equal((await signIn(ada.email, ada.password)).status, 401);
    assert.equal((await ada.post('/sign-in', { email: ada.email, password })).status, 303);
    assert.match((await ada.get('/settings')).text(), />Confirmed</u);
  });

  it('locks out whoever made the account with an address that was not theirs', async () => {
    /** Issues a token as a device gets it. */
    const issue = async (who: SignedUp): Promise<string> => {
      const { user_code, device_code } = (await service.anonymous.call('POST', '/api/agent/login')).json();
      await who.post('/device', { user_code, decision: 'approve' });
      const answer = await service.anonymous.call('POST', '/api/agent/token', { device_code });
      return answer.json().access_token;
    };
    const status = async (token: string) =>
      (await visitor(service).call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${token}` }))
        .status;
    const link = await linkFor();
    const left = await issue(ada);
    await use(tokenOf(link));
    assert.equal(await status(left), 401);

    // After the address is proven, a reset changes only the password.
    await ada.post('/sign-in', { email: ada.email, password });
    const own = await issue(ada);
    await ask(ada.email);
    const mails = await mailsTo(service, ada.email);
    await use(tokenOf(linkIn(mails.at(-1))), 'a third long password');
    assert.equal(await status(own), 200);
  });

  it('withdraws approvals that were not exchanged for a token yet', async () => {
    const link = await linkFor();
    const { exchangeAll } = await approveAll(service, ada);
    assert.equal((await use(tokenOf(link))).status, 303);
    assert.deepEqual(await exchangeAll(), ['access_denied', 'invalid_grant']);
  });

  it('works once, also when the link is used twice at once', async () => {
    const token = tokenOf(await linkFor());
    const answers = await Promise.all(['first password', 'second password'].map((word) => use(token, word)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422]);
    requireLinkRefused(await use(token));
    assert.equal((await signIn(ada.email, password)).status, 401);
  });

  it('ends other links, as a new password and a new address do', async () => {
    const ways: Record<string, () => Promise<unknown>> = {
      'another reset': async () => {
        await ask(ada.email);
        return use(tokenOf(linkIn((await mailsTo(service, ada.email)).at(-1))));
      },
      'a new password': () =>
        ada.call('POST', '/api/account/password', { current: ada.password, password: 'my own new one' }),
      'a new address': async () => {
        const email = `new-${ada.email}`;
        await ada.call('POST', '/api/account/email', { email, password: ada.password });
        const token = tokenOf(linkIn((await mailsTo(service, email)).at(-1)));
        return visitor(service).post('/verify', { token });
      },
    };
    for (const [name, happens] of Object.entries(ways)) {
      const token = tokenOf(await linkFor());
      await happens();
      requireLinkRefused(await use(token, 'whoever reads the mail'), name);
    }
  });

  it('accepts a link that was sent by an earlier release', async () => {
    const { email } = await signUp(service);
    const { db } = service.service.platform.database;
    const { id } = await db
      .selectFrom('creators')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const now = service.clock.now();
    const identifier = createHash('sha256').update('reset-password:Wq0aMOEzVbX3').digest('base64url');
    await db
      .insertInto('auth_verifications')
      .values({
        id: 'auth_older',
        identifier,
        value: id,
        expires_at: now + 60_000,
        created_at: now,
        updated_at: now,
      })
      .execute();
    assert.equal((await use('Wq0aMOEzVbX3')).status, 303);
    assert.equal((await signIn(email, password)).status, 303);
  });

  it('keeps the link valid when the new password is refused', async () => {
    const token = tokenOf(await linkFor());
    const short = await use(token, 'short');
    assert.equal(short.status, 422);
    assert.match(short.text(), /at least 8 characters/u);
    assert.equal((await use(token)).status, 303);
  });

  it('refuses a wrong or expired link, and stores no link that could be used', async () => {
    for (const token of ['', 'nonsense']) {
      requireLinkRefused(await use(token), token);
    }
    const token = tokenOf(await linkFor());
    const { db } = service.service.platform.database;
    const stored = await db.selectFrom('auth_verifications').selectAll().execute();
    assert.ok(stored.length > 0);
    assert.ok(!JSON.stringify(stored).includes(token));
    service.clock.advance({ minutes: 61 });
    requireLinkRefused(await use(token));
    assert.equal((await signIn(ada.email, ada.password)).status, 303);
  });

  it('refuses an invalid address, and sends four mails an hour to one address', async () => {
    const wrong = await ask('no address');
    assert.equal(wrong.status, 422);
    assert.match(wrong.text(), /Write a whole e-mail address/u);
    const { email } = await signUp(service);
    for (let time = 1; time <= 4; time++) assert.equal((await ask(email)).status, 200);
    const limited = await ask(email);
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers['retry-after']) > 0);
  });
});
