import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, engines } from '../../test/database.ts';
import { machineOf } from '../../test/run-admin.ts';
import { startService, type TestService } from '../../test/service.ts';
import { linkIn, mailsTo, signUp, tokenOf, visitor } from '../../test/visitor.ts';
import { adminCommands } from '../commands/admin-commands.ts';
import { givenId } from '../platform/db/ids.ts';
import { migrate } from '../platform/db/migrate.ts';
import { noteSignUp } from './accounts.queries.ts';

const form = { name: 'Ada', email: 'ada@example.org', password: 'a long password' };

describe('signing up', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000', MAILS_PER_HOUR: '3' } });
  });
  after(() => service.close());

  const creators = () => service.service.platform.database.db.selectFrom('creators').selectAll().execute();
  const refused = async (fields: Partial<typeof form>, status: number, text: RegExp) => {
    const before = await creators();
    const who = visitor(service);
    const answer = await who.post('/sign-up', { ...form, ...fields });
    assert.equal(answer.status, status, answer.text());
    assert.match(answer.text(), text);
    assert.equal(who.cookies.size, 0);
    assert.deepEqual(await creators(), before);
  };

  it('makes the first account the operator, signs it in and asks for a handle', async () => {
    const who = visitor(service);
    const answer = await who.post('/sign-up', { ...form, email: ' First@Example.ORG ', next: '/device' });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.location, '/handle?next=%2Fdevice');
    const [creator] = await creators();
    assert.equal(creator?.email, 'first@example.org');
    assert.equal(creator?.operator, 1);
    assert.equal(creator?.handle, null);
    assert.match((await who.get('/settings')).text(), /first@example\.org/u);
  });

  it('makes no later account an operator', async () => {
    const { email } = await signUp(service);
    const rows = (await creators()).filter((creator) => creator.email === email);
    assert.deepEqual(
      rows.map(({ operator }) => operator),
      [0],
    );
  });

  it('sets a cookie that scripts cannot read and other sites cannot send', async () => {
    const answer = await visitor(service).post('/sign-up', { ...form, email: 'cookie@example.org' });
    const [cookie = '', ...others] = answer.headers['set-cookie'] ?? [];
    assert.equal(others.length, 0);
    assert.match(cookie, /^spaceport_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/u);
  });

  it('stores neither the password nor the value of the cookie', async () => {
    const who = await signUp(service);
    const { db } = service.service.platform.database;
    const stored = JSON.stringify([
      await db.selectFrom('auth_accounts').selectAll().execute(),
      await db.selectFrom('auth_sessions').selectAll().execute(),
      await db.selectFrom('creators').selectAll().execute(),
    ]);
    const token = who.cookies.get('spaceport_session')?.split('.')[0] ?? '';
    assert.ok(token.length >= 43);
    assert.ok(!stored.includes(token));
    assert.ok(!stored.includes(who.password));
  });

  it('shows each missing or wrong field beside it, and keeps what was typed', async () => {
    await refused({ email: 'no address' }, 422, /<p[^>]* class="error"[^>]*>Write a whole e-mail address/u);
    await refused({ email: 'a@b\u0000c' }, 422, /NUL/u);
    // These addresses are valid by the standard, but most services refuse them, and so does this one.
    for (const email of ['!a@a.aa', 'ada@localhost', '"ada lovelace"@example.org', 'a\u202e@example.org'])
      await refused({ email }, 422, />Write a whole e-mail address/u);
    await refused({ password: 'short' }, 422, /<p[^>]* class="error"[^>]*>It must be at least 8 characters/u);
    await refused({ password: 'x'.repeat(129) }, 422, /at most 128/u);
    await refused({ name: '  ' }, 422, /<p[^>]* class="error"[^>]*>Write a name of 1 to 60 characters/u);
    await refused({ name: 'a\u0007b' }, 422, />Take out the characters that cannot be seen/u);
    const answer = await visitor(service).post('/sign-up', { ...form, name: 'Grace', password: 'short' });
    assert.match(answer.text(), /value="Grace"/u);
    assert.ok(!answer.text().includes('short'));
  });

  it('refuses an address that has an account, in any case', async () => {
    const { email } = await signUp(service);
    await refused({ email: email.toUpperCase() }, 422, /has an account already/u);
  });

  it('creates one account when two ask for the same address at once', async () => {
    const email = 'twice@example.org';
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => visitor(service).post('/sign-up', { ...form, email })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422, 422]);
    const { db } = service.service.platform.database;
    const made = await db.selectFrom('creators').select('id').where('email', '=', email).execute();
    assert.equal(made.length, 1);
    const passwords = await db
      .selectFrom('auth_accounts')
      .select('id')
      .where('creator_id', '=', made[0]?.id ?? givenId('usr', ''))
      .execute();
    assert.equal(passwords.length, 1);
    assert.equal((await mailsTo(service, email)).length, 1);
  });

  it('sends a link that confirms the address when its button is pressed, not when it is opened', async () => {
    const who = await signUp(service);
    const link = linkIn((await mailsTo(service, who.email))[0]);
    const opened = await visitor(service).get(link);
    assert.equal(opened.status, 200);
    assert.match((await who.get('/settings')).text(), /Not confirmed/u);
    const pressed = await visitor(service).post('/verify', { token: tokenOf(link) });
    assert.equal(pressed.status, 200, pressed.text());
    assert.match((await who.get('/settings')).text(), />Confirmed</u);
  });

  it('refuses a wrong confirmation link', async () => {
    for (const token of ['', 'nonsense', 'a.b.c']) {
      const answer = await visitor(service).post('/verify', { token });
      assert.equal(answer.status, 422);
      assert.match(answer.text(), /wrong or too old/u);
    }
  });

  it('sends the link again, at most three times an hour', async () => {
    const who = await signUp(service);
    for (let time = 1; time <= 3; time++) assert.equal((await who.post('/verify/send')).status, 303);
    const limited = await who.post('/verify/send');
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers['retry-after']) > 3000);
    assert.equal((await mailsTo(service, who.email)).length, 4);
    assert.equal((await visitor(service).post('/verify/send')).headers.location, '/sign-in');
  });

  it('deletes the message from the database after it is sent', async () => {
    await signUp(service);
    await service.settle();
    const { db } = service.service.platform.database;
    assert.deepEqual(await db.selectFrom('outgoing_mails').selectAll().execute(), []);
  });
});

describe('the first account to sign up', () => {
  it('is one account when several sign up at once', async () => {
    const service = await startService();
    try {
      await Promise.all([1, 2, 3, 4, 5].map(() => signUp(service)));
      const { db } = service.service.platform.database;
      const operators = await db.selectFrom('creators').select('id').where('operator', '=', 1).execute();
      assert.equal(operators.length, 1);
    } finally {
      await service.close();
    }
  });

  const make = (service: TestService, handle: string, operator = false) =>
    adminCommands['create-account']?.run(machineOf(service), {
      handle,
      email: `${handle}@example.org`,
      password: 'a long password',
      operator,
    });
  const operators = async ({ service }: TestService) =>
    (
      await service.platform.database.db
        .selectFrom('creators')
        .select('email')
        .where('operator', '=', 1)
        .execute()
    ).map(({ email }) => email);

  it('is the operator even after accounts were made on the machine, and the next one is not', async () => {
    const service = await startService();
    try {
      await make(service, 'demo');
      const { email } = await signUp(service);
      await signUp(service);
      assert.deepEqual(await operators(service), [email]);
      const { db } = service.service.platform.database;
      await db.updateTable('creators').set({ operator: 0 }).execute();
      await signUp(service);
      assert.deepEqual(await operators(service), []);
    } finally {
      await service.close();
    }
  });

  it('is not made operator when the installation has one', async () => {
    const service = await startService();
    try {
      await make(service, 'ops', true);
      await signUp(service);
      assert.deepEqual(await operators(service), ['ops@example.org']);
    } finally {
      await service.close();
    }
  });

  it('is no operator when an existing installation with accounts was updated', async () => {
    for (const engine of engines) {
      const test = await emptyDatabase(engine);
      const database = await test.open();
      const { db } = database;
      await migrate(db, '0008-activity');
      await sql`insert into creators (id, name, email, operator, created_at) values ('usr_1', 'Ada', 'a@example.org', 0, 0)`.execute(
        db,
      );
      await migrate(db);
      const first = await database.transaction((tx) => noteSignUp(tx));
      assert.equal(first, false);
      await test.close();
    }
  });
});

describe('the limit on new accounts', () => {
  it('counts exactly, also for sign-ups at once, and its refusal says when to try again', async () => {
    const service = await startService({ environment: { SIGN_UPS_PER_HOUR: '3' } });
    try {
      const attempt = (index: number) =>
        visitor(service).post('/sign-up', { ...form, email: `limit${index}@example.org` });
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(attempt));
      assert.equal(answers.filter(({ status }) => status === 303).length, 3);
      const limited = answers.find(({ status }) => status === 429);
      const seconds = Number(limited?.headers['retry-after']);
      assert.ok(seconds > 3500 && seconds <= 3600);
      service.clock.advance({ seconds });
      assert.equal((await attempt(7)).status, 303);
    } finally {
      await service.close();
    }
  });
});
