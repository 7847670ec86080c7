import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../test/service.ts';
import { timeless } from '../../test/timeless.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';
import { indexSpacesOf } from '../search/fill.ts';
import { createAccounts } from './accounts.ts';

const sessionCookie = 'spaceport_session';

describe('signing in', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  const signIn = (email: string, password: string, who = visitor(service)) =>
    who.post('/sign-in', { email, password });

  it('accepts the right password, whatever the case of the address', async () => {
    const who = visitor(service);
    const answer = await signIn(` ${ada.email.toUpperCase()} `, ada.password, who);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.location, '/');
    assert.match((await who.get('/settings')).text(), /@ada/u);
  });

  it('says which field was left empty, and counts no attempt', async () => {
    for (const [email, password, field] of [
      ['', ada.password, 'email'],
      ['  ', '', 'email'],
      [ada.email, '', 'password'],
    ] as const) {
      const page = await signIn(email, password);
      assert.equal(page.status, 422);
      assert.match(page.text(), new RegExp(`<input[^>]*name="${field}"[^>]*aria-invalid="true"`, 'u'));
      const called = await visitor(service).call('POST', '/api/account/sign-in', { email, password });
      assert.equal(called.status, 422);
      assert.deepEqual(called.json().issues, [{ path: field, message: 'is missing' }]);
    }
  });

  it('answers the same for a wrong password and for an unknown address', async () => {
    const wrong = await signIn(ada.email, 'not the password');
    const nobody = await signIn('nobody@example.org', 'not the password');
    for (const answer of [wrong, nobody]) {
      assert.equal(answer.status, 401);
      assert.match(answer.text(), /The e-mail address or the password is wrong\./u);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    assert.equal(
      timeless(wrong.text()).replaceAll(ada.email, ''),
      timeless(nobody.text()).replaceAll('nobody@example.org', ''),
    );
  });

  it('refuses what is no address, and an overlong password, as it refuses a wrong one', async () => {
    for (const [email, password] of [
      ['x', 'y'],
      [ada.email, 'x'.repeat(5000)],
    ] as const) {
      const answer = await signIn(email, password);
      assert.equal(answer.status, 401);
      assert.match(answer.text(), /The e-mail address or the password is wrong\./u);
    }
  });

  it('gives the browser a new session and ends the one it had', async () => {
    const who = visitor(service);
    await signIn(ada.email, ada.password, who);
    const first = who.cookies.get(sessionCookie) ?? '';
    await signIn(ada.email, ada.password, who);
    const second = who.cookies.get(sessionCookie) ?? '';
    assert.notEqual(first, second);
    const old = visitor(service);
    old.cookies.set(sessionCookie, first);
    assert.equal((await old.get('/settings')).status, 303);
    assert.equal((await who.get('/settings')).status, 200);
  });

  it('does not keep a session that somebody else put into the browser', async () => {
    const who = visitor(service);
    who.cookies.set(sessionCookie, 'chosen-by-an-attacker.signature');
    await signIn(ada.email, ada.password, who);
    assert.ok(!who.cookies.get(sessionCookie)?.startsWith('chosen'));
  });

  it('is undone by signing out and when the session expires', async () => {
    const who = visitor(service);
    await signIn(ada.email, ada.password, who);
    const kept = who.cookies.get(sessionCookie) ?? '';
    assert.match((await who.get('/sign-out')).text(), /<form[^>]* method="post"[^>]* action="\/sign-out"/u);
    const answer = await who.post('/sign-out');
    assert.equal(answer.headers.location, '/sign-in');
    assert.equal(who.cookies.size, 0);
    who.cookies.set(sessionCookie, kept);
    assert.equal((await who.get('/settings')).headers.location, '/sign-in?next=%2Fsettings');

    await signIn(ada.email, ada.password, who);
    service.clock.advance({ days: 29 });
    assert.equal((await who.get('/settings')).status, 200);
    service.clock.advance({ days: 2 });
    assert.equal((await who.get('/settings')).status, 303);
    await signIn(ada.email, ada.password, who);
    await service.service.sweep();
    const { db } = service.service.platform.database;
    const left = await db.selectFrom('auth_sessions').select('expires_at').execute();
    assert.equal(left.length, 1, 'those that have ended are deleted');
    assert.equal((await who.get('/settings')).status, 200);
  });

  it('can sign out every other browser', async () => {
    const [here, there] = [visitor(service), visitor(service)];
    await signIn(ada.email, ada.password, here);
    await signIn(ada.email, ada.password, there);
    assert.equal((await here.post('/settings/sessions/end')).status, 303);
    assert.equal((await here.get('/settings')).status, 200);
    assert.equal((await there.get('/settings')).status, 303);
  });

  it('accepts the cookie of an earlier release, which contains a signature too', async () => {
    const who = visitor(service);
    await signIn(ada.email, ada.password, who);
    const token = who.cookies.get(sessionCookie) ?? '';
    assert.match(token, /^[\w-]{43}$/u);
    const older = visitor(service);
    older.cookies.set(sessionCookie, `${token}.c2lnbmF0dXJl%3D`);
    assert.equal((await older.get('/settings')).status, 200);
    await signIn(ada.email, ada.password, older);
    assert.equal((await who.get('/settings')).status, 303);
  });

  it('accepts a password hash from an earlier release', async () => {
    const { db } = service.service.platform.database;
    const older = await signUp(service);
    const password =
      '34b9a2b8ea46d16755781763dac95196:c46307db00c094ee7f62d3d29f2eb78c419e14dabaeffde36904f2d6902815cad54ecbc258e6c6a7fde60f4474a85279bc3f91e5a1b112d9a653a1dd1e407b99';
    const { id } = await db
      .selectFrom('creators')
      .select('id')
      .where('email', '=', older.email)
      .executeTakeFirstOrThrow();
    await db.updateTable('auth_accounts').set({ password }).where('creator_id', '=', id).execute();
    assert.equal((await signIn(older.email, older.password)).status, 401);
    assert.equal((await signIn(older.email, 'correct horse')).status, 303);
  });

  it('accepts the password that an operator set', async () => {
    const account = { handle: 'admin', email: 'Made@Example.org', password: 'pw', operator: false };
    await createAccounts(service.service.platform, indexSpacesOf).create(account);
    assert.equal((await signIn('made@example.org', 'pw')).status, 303);
    assert.equal((await signIn('made@example.org', 'pw2')).status, 401);
  });

  it('returns to the page that was asked for, only if it is one of the service’s own', async () => {
    for (const [next, location] of [
      ['/device?user_code=WDJB-MJHT', '/device?user_code=WDJB-MJHT'],
      ['https://evil.example/', '/'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['/\t/evil.example', '/'],
    ] as const) {
      const who = visitor(service);
      const { email, password } = ada;
      assert.equal((await who.post('/sign-in', { email, password, next })).headers.location, location);
      assert.equal((await who.get(`/sign-in?next=${encodeURIComponent(next)}`)).headers.location, location);
      assert.equal((await who.get(`/handle?next=${encodeURIComponent(next)}`)).headers.location, location);
    }
  });

  it('allows changing the current password, which signs out every other browser', async () => {
    const who = await signUp(service);
    const other = visitor(service);
    await signIn(who.email, who.password, other);
    const before = who.cookies.get(sessionCookie);

    const wrong = await who.post('/settings/password', { current: 'wrong', password: 'another password' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text(), /<p[^>]* class="error"[^>]*>It is not your password/u);
    const short = await who.post('/settings/password', { current: who.password, password: 'short' });
    assert.equal(short.status, 422);
    assert.match(short.text(), /at least 8 characters/u);

    const done = await who.post('/settings/password', {
      current: who.password,
      password: 'another password',
    });
    assert.equal(done.headers.location, '/settings?done=password');
    assert.notEqual(who.cookies.get(sessionCookie), before);
    assert.equal((await who.get('/settings')).status, 200);
    assert.equal((await other.get('/settings')).status, 303);
    assert.equal((await signIn(who.email, who.password)).status, 401);
    assert.equal((await signIn(who.email, 'another password')).status, 303);
  });
});

describe('the limit on sign-in attempts', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_IN_TRIES: '3' } });
  });
  after(() => service.close());

  const wrong = (email: string) => visitor(service).post('/sign-in', { email, password: 'guessed' });

  it('counts exactly, also for attempts at once, and refuses the right password too', async () => {
    const { email, password } = await signUp(service);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => wrong(email)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [401, 401, 401, 429, 429, 429, 429]);
    const limited = answers.find(({ status }) => status === 429);
    const seconds = Number(limited?.headers['retry-after']);
    assert.ok(seconds > 800 && seconds <= 900, String(seconds));
    assert.match(limited?.text() ?? '', /Too many tries to sign in; try again in 15 minutes/u);
    const right = () => visitor(service).post('/sign-in', { email, password });
    assert.equal((await right()).status, 429);
    service.clock.advance({ seconds });
    assert.equal((await right()).status, 303);
  });

  it('forgets the failed attempts after a successful one', async () => {
    const { email, password } = await signUp(service);
    for (let round = 0; round < 3; round++) {
      await wrong(email);
      await wrong(email);
      assert.equal((await visitor(service).post('/sign-in', { email, password })).status, 303);
    }
  });

  it('also limits guesses of the current password in the settings', async () => {
    service.clock.advance({ hours: 1 });
    const who = await signUp(service);
    const guess = () => who.post('/settings/password', { current: 'guessed', password: 'a new password' });
    for (let tries = 1; tries <= 3; tries++) {
      const answer = await guess();
      assert.equal(answer.status, 422);
      assert.match(answer.text(), /It is not your password/u);
    }
    assert.equal((await guess()).status, 429);
    const right = { current: who.password, password: 'a new password' };
    assert.equal((await who.post('/settings/password', right)).status, 429, 'the right one too');
  });
});

describe('the limit on sign-in attempts from one address', () => {
  it('is ten times as high, and counts attempts on all accounts', async () => {
    const service = await startService({ environment: { SIGN_IN_TRIES: '1' } });
    try {
      const wrong = (index: number) =>
        visitor(service).post('/sign-in', { email: `guess${index}@example.org`, password: 'guessed' });
      const statuses: number[] = [];
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all([0, 1, 2, 3].map((index) => wrong(round * 4 + index)));
        statuses.push(...answers.map(({ status }) => status));
      }
      assert.equal(statuses.filter((status) => status === 401).length, 10);
      assert.equal(statuses.filter((status) => status === 429).length, 2);
    } finally {
      await service.close();
    }
  });
});

describe('a session on https', () => {
  it('has a cookie that only this host can set and that never leaves https', async () => {
    const origin = 'https://spaceport.example';
    const service = await startService({ environment: { BASE_URL: origin } });
    try {
      const who = visitor(service, origin);
      const form = { name: 'Ada', email: 'ada@example.org', password: 'a long password' };
      const answer = await who.post('/sign-up', form);
      const [cookie = ''] = answer.headers['set-cookie'] ?? [];
      assert.match(
        cookie,
        /^__Host-spaceport_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/u,
      );
      assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000');
      assert.equal((await who.get('/settings')).status, 200);
      const out = await who.post('/sign-out');
      assert.match(
        out.headers['set-cookie']?.[0] ?? '',
        /^__Host-spaceport_session=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/u,
      );
      const other = visitor(service, origin);
      other.cookies.set('spaceport_session', who.cookies.get('__Host-spaceport_session') ?? 'none');
      assert.equal((await other.get('/settings')).status, 303);
    } finally {
      await service.close();
    }
  });
});
