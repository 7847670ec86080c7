import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deviceCalls } from '../../test/device.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { oauthCalls } from '../../test/oauth.ts';
import { startService, type TestService } from '../../test/service.ts';
import { softwarePasskey } from '../../test/software-passkey.ts';
import { linkIn, mailsTo, type SignedUp, signUp, tokenOf, visitor } from '../../test/visitor.ts';
import { deleteAccount } from '../deleting/delete-account.ts';
import { createAuthorizations } from '../oauth/authorization.ts';
import { createClients } from '../oauth/clients.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { indexSpacesOf } from '../search/fill.ts';
import { type AccountServices, createAccountServices } from './account-services.ts';
import { keepPassword } from './accounts.queries.ts';
import { setBanned } from './ban.ts';
import { hashPassword } from './password-hash.ts';
import { deleteAllSessions } from './sign-in/sessions.queries.ts';
import type { Session } from './sign-in/sessions.ts';
import { lockAccount } from './standing.queries.ts';
import { requireStanding } from './standing.ts';

const newPassword = 'another long password';

describe('what a session asks for while it is ended', () => {
  let service: TestService;
  let platform: Platform;
  let account: AccountServices;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000', MAILS_PER_HOUR: '1000' } });
    platform = service.service.platform;
    account = createAccountServices(platform, indexSpacesOf);
  });
  after(async () => {
    account.tokens.close();
    await service.close();
  });

  const device = deviceCalls(() => service);
  const oauth = oauthCalls(() => service);
  const headersOf = ({ cookies }: SignedUp) => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  const sessionOf = async (who: SignedUp) => (await account.sessions.find(headersOf(who))) ?? assert.fail();
  const sessionsOf = (id: AccountId) =>
    platform.database.db.selectFrom('auth_sessions').select('id').where('creator_id', '=', id).execute();
  const linkFor = async ({ email }: SignedUp) => {
    await visitor(service).post('/reset', { email });
    const mails = await mailsTo(service, email);
    return tokenOf(linkIn(mails.find((text) => text.includes('Subject: Choose a new password'))));
  };
  const reset = (token: string) => visitor(service).post('/reset/new', { token, password: newPassword });
  const signIn = ({ email }: SignedUp, password: string) =>
    visitor(service).post('/sign-in', { email, password });
  const isUnauthorized = (error: unknown) => error instanceof ServiceError && error.code === 'unauthorized';

  /** Everything that lets somebody come back: each is begun with a session, and returns how it ends. */
  const writes: Record<string, (session: Session, who: SignedUp) => Promise<() => Promise<unknown>>> = {
    async 'an approval of a device'(session) {
      const { user_code } = await device.start();
      return () => account.approvals.decide(session, user_code, { approve: true });
    },
    async 'an approval of a program'(session) {
      const authorizations = createAuthorizations(platform, createClients(platform));
      const { path } = oauth.begin(await oauth.newClient());
      const query = Object.fromEntries(new URL(path, service.baseUrl).searchParams);
      const asked = await authorizations.read(query, session);
      assert.ok('client' in asked);
      return () => authorizations.decide(asked, session, { scopes: ['publish'], space: null });
    },
    async 'a token'(session) {
      const wish = { name: 'ci', scopes: ['publish' as const], space: null, days: null };
      return () => account.ownTokens.make(session, wish);
    },
    async 'a passkey'(session) {
      const { options, cookie } = await account.passkeyCeremonies.beginMaking(session, {});
      const { challenge } = options;
      const response = softwarePasskey({ challenge, origin: platform.config.BASE_URL });
      const headers = { cookie: cookie.split(';', 1)[0] };
      return () => account.passkeyCeremonies.make(session, { response }, headers);
    },
    async 'a link to another address'(session, who) {
      const change = { email: `new-${who.email}`, password: newPassword };
      const visit = { address: '127.0.0.1', headers: {} };
      return () => account.signIn.changeEmail(session, change, visit);
    },
    async 'the end of the account'(session) {
      return () => deleteAccount(platform, session);
    },
  };
  for (const [name, begin] of Object.entries(writes)) {
    it(`is not written after a reset: ${name}`, async () => {
      const who = await signUp(service);
      const finish = await begin(await sessionOf(who), who);
      assert.equal((await reset(await linkFor(who))).status, 303);
      await assert.rejects(finish(), isUnauthorized);
      assert.equal((await signIn(who, newPassword)).status, 303);
    });
  }

  it('is not written after the account was deleted: its name, its handle, whether it shows its plays', async () => {
    const who = await signUp(service);
    const session = await sessionOf(who);
    const { id } = session.creator;
    await deleteAccount(platform, session);
    const { accounts } = account;
    for (const change of [
      () => accounts.rename(id, 'Somebody'),
      () => accounts.chooseHandle(id, 'somebody'),
      () => accounts.showPlays(id, false),
    ])
      await assert.rejects(change(), isUnauthorized);
    const left = await platform.database.db
      .selectFrom('creators')
      .select(['name', 'handle'])
      .where('id', '=', id)
      .executeTakeFirst();
    assert.deepEqual(left, { name: 'Deleted account', handle: null });
  });

  it('is written while the session stands: a passkey', async () => {
    const who = await signUp(service);
    const session = await sessionOf(who);
    await (await (writes['a passkey'] ?? assert.fail())(session, who))();
    assert.equal((await account.passkeys.list(session.creator.id)).length, 1);
  });

  it('is ended by a reset that waits for it', { skip: withoutLockWaits }, async () => {
    const who = await signUp(service);
    const session = await sessionOf(who);
    const link = await linkFor(who);
    const { resetting } = await platform.database.transaction(async (tx) => {
      await requireStanding(tx, session);
      await account.tokens.issue(session.creator.id, { name: null }, tx.db);
      const answer = reset(link);
      await someoneWaits(platform.database.db);
      return { resetting: answer };
    });
    assert.equal((await resetting).status, 303);
    assert.deepEqual(await account.tokens.list(session.creator.id), []);
  });

  it('is not a session: the old password signs nobody in while it is changed', {
    skip: withoutLockWaits,
  }, async () => {
    const who = await signUp(service);
    const { id } = (await sessionOf(who)).creator;
    const passwordHash = await hashPassword(newPassword);
    const { signingIn } = await platform.database.transaction(async (tx) => {
      await lockAccount(tx, id);
      await keepPassword(tx, { creatorId: id, passwordHash });
      await deleteAllSessions(tx, id);
      const answer = signIn(who, who.password);
      await someoneWaits(platform.database.db);
      return { signingIn: answer };
    });
    assert.equal((await signingIn).status, 401);
    assert.deepEqual(await sessionsOf(id), []);
  });

  it('is not a session that a ban leaves for later', { skip: withoutLockWaits }, async () => {
    const who = await signUp(service);
    const { id } = (await sessionOf(who)).creator;
    const { signingIn } = await platform.database.transaction(async (tx) => {
      await setBanned(tx, id, true);
      const answer = signIn(who, who.password);
      await someoneWaits(platform.database.db);
      return { signingIn: answer };
    });
    assert.equal((await signingIn).status, 403);
    await platform.database.transaction((tx) => setBanned(tx, id, false));
    assert.deepEqual(await sessionsOf(id), []);
  });
});
