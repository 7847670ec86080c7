import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Scope } from '@spaceport/contract/scopes';
import { sql } from 'kysely';
import { codeOf, hostingCodeOf } from '../../test/answers.ts';
import { emptyDatabase, engines } from '../../test/database.ts';
import { fileEntries, listing, publishFiles, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import { migrate } from '../platform/db/migrate.ts';
import { findToken } from './tokens.queries.ts';
import { createTokens, type NewToken } from './tokens.ts';

const usual = ['publish', 'boards', 'moderate'];
const created = { fields: listing, files: fileEntries(smallGame) };

/** Issues a token to a persona. Returns the header that sends it. */
async function tokenFor(service: TestService, { token }: Persona, wish: Omit<NewToken, 'name'>) {
  const tokens = createTokens(service.service.platform);
  try {
    const { creator } = await tokens.resolve(token);
    const issued = await tokens.issue(creator.id, { name: null, ...wish });
    return { authorization: `Bearer ${issued.token}` };
  } finally {
    tokens.close();
  }
}

describe('a token with scopes', () => {
  let service: TestService;
  let operator: Persona;
  before(async () => {
    service = await startService();
    operator = await service.creator('ops', { operator: true });
    await service.creator('quin');
  });
  after(() => service.close());

  it('gives an operator no operator rights without the operate scope', async () => {
    const stranger = await service.creator();
    const { space, version } = await publishFiles(stranger, smallGame);
    const headers = await tokenFor(service, operator, { scopes: ['publish', 'boards', 'moderate'] });
    const ban = await operator.call('POST', '/api/operator/accounts/quin/ban', { reason: 'x' }, headers);
    assert.deepEqual([...codeOf(ban), ban.json().scope], [403, 'forbidden', 'operate']);
    const move = await operator.call(
      'POST',
      `/api/spaces/${space.slug}/move`,
      { url: 'https://games.example/' },
      headers,
    );
    assert.deepEqual(codeOf(move), [404, 'not_found']);
    const read = `/api/v1/hosting/versions/${version.id}`;
    assert.deepEqual(hostingCodeOf(await operator.call('GET', read, undefined, headers)), [404, 'not_found']);
  });

  it('shows its scopes, and a refusal names the missing scope', async () => {
    const ada = await service.creator();
    const headers = await tokenFor(service, ada, { scopes: ['boards'] });
    const { token } = (await ada.call('GET', '/api/agent/me', undefined, headers)).json();
    assert.deepEqual([token.scopes, token.space], [['boards'], null]);
    const plain = await ada.call('GET', '/api/spaces', undefined, headers);
    assert.deepEqual(plain.json(), {
      error: 'forbidden',
      message: 'The token lacks the scope «publish» that this call asks for: it is for «boards».',
      scope: 'publish',
      scopes: ['boards'],
    });
    const hosting = await ada.call('POST', '/api/v1/hosting/versions', created, headers);
    assert.equal(hosting.status, 403);
    assert.deepEqual([hosting.json().code, hosting.json().scope], ['forbidden', 'publish']);
    assert.match(hosting.json().error, /«publish»/u);
  });

  it('has every scope but operate when it is from before scopes existed', async () => {
    for (const engine of engines) {
      const test = await emptyDatabase(engine);
      const { db } = await test.open();
      await migrate(db, '0008-activity');
      await sql`insert into creators (id, name, email, operator, created_at) values ('usr_1', 'Ada', 'a@example.org', 1, 0)`.execute(
        db,
      );
      await sql`insert into api_tokens (id, creator_id, hash, created_at, expires_at) values ('tok_1', 'usr_1', 'hash', 0, 9)`.execute(
        db,
      );
      await migrate(db);
      const found = await findToken(db, 'hash');
      assert.deepEqual([found?.scopes, found?.space], [usual, null]);
      await test.close();
    }
  });
});

describe('a token for one space', () => {
  let service: TestService;
  let ada: Persona;
  let one: { slug: string; versionId: string };
  let other: { slug: string; versionId: string };
  let headers: Record<string, string>;
  before(async () => {
    service = await startService();
    ada = await service.creator('ada');
    const [first, second] = [await publishFiles(ada, smallGame), await publishFiles(ada, smallGame)];
    one = { slug: first.space.slug, versionId: first.version.id };
    other = { slug: second.space.slug, versionId: second.version.id };
    const { id } = await service.service.platform.database.db
      .selectFrom('spaces')
      .select('id')
      .where('slug', '=', one.slug)
      .executeTakeFirstOrThrow();
    headers = await tokenFor(service, ada, { spaceId: id });
  });
  after(() => service.close());

  const call = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    ada.call(method, path, body, { ...headers, ...more });

  /** Calls about a space, each with its own way to name the space. */
  const callsOn = ({ slug, versionId }: { slug: string; versionId: string }) =>
    [
      ['GET', `/api/spaces/${slug}`],
      ['PATCH', `/api/spaces/${slug}`, { title: 'Sun Hopper' }],
      ['GET', `/api/spaces/${slug}/boards`],
      ['GET', `/api/spaces/${slug}/bans`],
      ['GET', `/api/v1/hosting/spaces/${slug}/versions`],
      ['GET', `/api/v1/hosting/versions/${versionId}`],
      ['POST', `/api/v1/hosting/versions/${versionId}/preview`],
      ['POST', '/api/v1/hosting/versions', { space: slug, files: fileEntries(smallGame) }],
    ] as const;

  it('may do everything on that space that its scopes allow', async () => {
    for (const [method, path, body] of callsOn(one)) {
      const answer = await call(method, path, body);
      assert.ok(answer.status < 300, `${method} ${path} ${answer.text()}`);
    }
    const { token } = (await call('GET', '/api/agent/me')).json();
    assert.deepEqual([token.scopes, token.space], [usual, one.slug]);
  });

  it('may do nothing to other spaces of the same creator, nor to unknown ones', async () => {
    for (const [method, path, body] of [
      ...callsOn(other),
      ['GET', '/api/spaces/nowhere'] as const,
      ['POST', '/api/spaces/recapture', { slug: other.slug }] as const,
      ['POST', '/api/players/token', { space: other.slug }] as const,
    ]) {
      const answer = await call(method, path, body);
      const { error, code = error, space } = answer.json();
      assert.deepEqual([answer.status, code, space], [403, 'forbidden', one.slug], `${method} ${path}`);
    }
    const read = await ada.call('GET', `/api/spaces/${other.slug}`);
    assert.notEqual(read.json().title, 'Sun Hopper');
  });

  it('makes no new space: not by a version, not by an address, not by a claim', async () => {
    const unlisted = (await service.anonymous.call('POST', '/api/v1/hosting/versions', created)).json();
    const claim = { 'x-service-claim': unlisted.claimToken };
    const finish = `/api/v1/hosting/versions/${unlisted.version.id}/finish`;
    const asked = [
      await call('POST', '/api/v1/hosting/versions', created),
      await call('POST', '/api/v1/hosting/versions', { ...created, claim: unlisted.claimToken }),
      await call('POST', '/api/v1/hosting/versions', { space: one.slug, files: created.files }, claim),
      await call('POST', '/api/spaces', { ...listing, url: 'https://games.example/' }),
      await call('POST', '/api/spaces/verify', { url: 'https://games.example/' }),
      await call('POST', finish, {}, claim),
    ];
    for (const answer of asked) {
      const { error, code = error, space } = answer.json();
      assert.deepEqual([answer.status, code, space], [403, 'forbidden', one.slug]);
    }
    assert.equal((await ada.call('GET', '/api/spaces')).json().spaces.length, 2);
  });

  it('lists that space alone, and gets the usual not_found for unknown versions', async () => {
    const { spaces } = (await call('GET', '/api/spaces?mine=1')).json();
    assert.deepEqual(
      spaces.map(({ slug }: { slug: string }) => slug),
      [one.slug],
    );
    const unknown = await call('GET', '/api/v1/hosting/versions/ver_none');
    assert.deepEqual(hostingCodeOf(unknown), [404, 'not_found']);
  });
});

describe('a device that asks for scopes', () => {
  let service: TestService;
  let ada: SignedUp;
  let ops: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    // The first account to sign up is the operator.
    ops = await signUp(service, { handle: 'ops' });
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  const api = (path: string, body: unknown) => service.anonymous.call('POST', path, body);
  const start = async (wish: unknown) => (await api('/api/agent/login', wish)).json();
  const exchange = async (login: { device_code: string }) =>
    (await api('/api/agent/token', { device_code: login.device_code })).json();
  const decide = (who: SignedUp, login: { user_code: string }, scopes?: readonly Scope[]) =>
    who.call('POST', '/api/account/device/decision', {
      user_code: login.user_code,
      decision: 'approve',
      ...(scopes && { scopes }),
    });

  it('gets the default scopes when it names none', async () => {
    const login = await start({ client_name: 'a program' });
    assert.equal((await decide(ada, login)).status, 200);
    const { scopes, space, access_token: token } = await exchange(login);
    assert.deepEqual([scopes, space], [usual, null]);
    const me = await service.anonymous.call('GET', '/api/agent/me', undefined, {
      authorization: `Bearer ${token}`,
    });
    assert.deepEqual(me.json().token.scopes, usual);
  });

  it('gets the scopes it named, less those that the person unticked', async () => {
    const login = await start({ scopes: ['boards', 'publish'] });
    const shown = await ada.call('POST', '/api/account/device', { user_code: login.user_code });
    assert.deepEqual(shown.json().scopes, ['publish', 'boards']);
    assert.deepEqual(codeOf(await decide(ada, login, ['moderate'])), [422, 'invalid']);
    assert.equal((await decide(ada, login, ['publish'])).status, 200);
    assert.deepEqual((await exchange(login)).scopes, ['publish']);
  });

  it('is shown in words on a plain form, and gets the scopes that stay ticked', async () => {
    const login = await start({ scopes: ['publish', 'moderate', 'operate'] });
    const here = `/device?user_code=${login.user_code}`;
    const shown = (await ada.get(here)).text();
    assert.match(shown, /<input(?=[^>]*name="scope_publish")(?=[^>]*checked)[^>]*>.+Publish/u);
    assert.doesNotMatch(shown, /name="scope_operate"/u);
    assert.match(shown, /only an operator can allow/u);
    assert.match((await ops.get(here)).text(), /<input(?=[^>]*name="scope_operate")(?![^>]*checked)[^>]*>/u);
    const form = { user_code: login.user_code, decision: 'approve', offered: 'yes' };
    const none = await ada.post('/device', form);
    assert.equal(none.status, 422);
    assert.match(none.text(), /Tick at least one/u);
    assert.equal((await ada.post('/device', { ...form, scope_moderate: 'on' })).status, 200);
    assert.deepEqual((await exchange(login)).scopes, ['moderate']);
  });

  it('is refused unknown scope names', async () => {
    for (const scopes of [[], ['all'], ['publish', 'publish'], 'publish'])
      assert.deepEqual(codeOf(await api('/api/agent/login', { scopes })), [422, 'invalid']);
  });

  it('gets the operate scope only from an operator who ticks it', async () => {
    const wish = { scopes: ['publish', 'operate'] };
    const byDefault = await start(wish);
    assert.equal((await decide(ops, byDefault)).status, 200);
    assert.deepEqual((await exchange(byDefault)).scopes, ['publish']);

    const given = await start(wish);
    assert.deepEqual(codeOf(await decide(ada, given, ['publish', 'operate'])), [403, 'forbidden']);
    assert.equal((await decide(ops, given, ['operate'])).status, 200);
    const { scopes, access_token: token } = await exchange(given);
    assert.deepEqual(scopes, ['operate']);
    const health = await service.anonymous.call('GET', '/api/operator/accounts', undefined, {
      authorization: `Bearer ${token}`,
    });
    assert.equal(health.status, 200, health.text());

    const alone = await start({ scopes: ['operate'] });
    assert.deepEqual(codeOf(await decide(ops, alone)), [422, 'invalid']);
  });

  it('can be limited to one space that the person owns', async () => {
    const none = await start({ space: 'sun-hopper' });
    assert.deepEqual(codeOf(await decide(ada, none)), [409, 'conflict']);
    const shown = await ada.call('POST', '/api/account/device', { user_code: none.user_code });
    assert.match(shown.json().message, /you have no such space/u);
    assert.equal((await ada.post('/device', { user_code: none.user_code, decision: 'deny' })).status, 200);

    const full = await start({});
    await decide(ada, full);
    const { access_token: first } = await exchange(full);
    const published = await service.anonymous.call('POST', '/api/v1/hosting/versions', created, {
      authorization: `Bearer ${first}`,
    });
    const { slug } = published.json().space;
    const login = await start({ space: slug, scopes: ['publish'] });
    assert.equal((await decide(ada, login)).json().space, slug);
    const { space, access_token: token } = await exchange(login);
    assert.equal(space, slug);
    const read = await service.anonymous.call('GET', '/api/spaces', undefined, {
      authorization: `Bearer ${token}`,
    });
    assert.equal(read.json().spaces.length, 1);
    const operating = await start({ space: slug, scopes: ['publish', 'operate'] });
    assert.deepEqual(codeOf(await decide(ada, operating, ['operate'])), [403, 'forbidden']);
  });
});
