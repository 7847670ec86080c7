import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { fileEntries, listing, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';
import { givenId } from '../platform/db/ids.ts';
import { setBanned } from './ban.ts';
import '../../test/one-engine.ts';

const versions = '/api/v1/hosting/versions';
const body = { fields: listing, files: fileEntries(smallGame) };

describe('the API with a browser session', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  const countVersions = async () => {
    const { db } = service.service.platform.database;
    return (await db.selectFrom('versions').select('id').execute()).length;
  };
  const db = () => service.service.platform.database.db;

  it('answers as it does with a token', async () => {
    const answer = await ada.call('POST', versions, body);
    assert.equal(answer.status, 201, answer.text());
    const { space } = answer.json();
    assert.equal((await ada.call('GET', `/api/spaces/${space.slug}`)).status, 200);
    const stranger = await signUp(service, { handle: 'stranger' });
    const answered = await stranger.call('GET', `/api/spaces/${space.slug}`);
    assert.deepEqual(codeOf(answered), [404, 'not_found']);
  });

  it('says who is signed in', async () => {
    const { creator, token } = (await ada.call('GET', '/api/agent/me')).json();
    assert.equal(creator.handle, 'ada');
    assert.equal(creator.url, `${service.baseUrl}/@ada`);
    assert.equal(token.client_name, null);
    assert.ok(Date.parse(token.expires_at) > Date.parse(token.created_at));
  });

  it('accepts changes from the service’s own pages, by Sec-Fetch-Site or else by Origin', async () => {
    const ownHeaders: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: service.baseUrl },
    ];
    for (const headers of ownHeaders) {
      assert.equal((await ada.call('POST', versions, body, headers)).status, 201);
    }
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await service.get(new URL(versions, service.baseUrl).href, {
      method: 'POST',
      headers: { cookie, origin: service.baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201);
  });

  const foreign: Record<string, Record<string, string>> = {
    "another site's page": { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'a space, which is of the same site': {
      'sec-fetch-site': 'same-site',
      origin: 'http://x.play.localhost',
    },
    'another site, by an older browser': { origin: 'https://evil.example' },
    'a page without an origin': { origin: 'null' },
    'nobody knows': {},
  };
  for (const [who, headers] of Object.entries(foreign)) {
    it(`refuses a change sent from: ${who}`, async () => {
      const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const before = await countVersions();
      const send = (method: string, path: string) =>
        service.get(new URL(path, service.baseUrl).href, {
          method,
          headers: { cookie, 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
      const hosting = await send('POST', versions);
      assert.equal(hosting.status, 403);
      assert.equal(hosting.json().code, 'cross_site');
      const plain = await send('PATCH', '/api/spaces/any');
      assert.equal(plain.status, 403);
      assert.equal(plain.json().error, 'forbidden');
      assert.equal(await countVersions(), before);
    });
  }

  it('uses the token when both a token and a cookie are sent', async () => {
    const bob = await service.creator('bob');
    const me = await ada.call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${bob.token}` });
    assert.equal(me.json().creator.handle, 'bob');
    const wrong = await ada.call('GET', '/api/agent/me', undefined, { authorization: 'Bearer nonsense' });
    assert.equal(wrong.status, 401);
    // A token is not a cookie: browsers do not send it for other sites' pages.
    const headers = { authorization: `Bearer ${bob.token}`, 'sec-fetch-site': 'cross-site' };
    assert.equal((await ada.call('POST', versions, body, headers)).status, 201);
  });

  it('treats a wrong, ended or foreign cookie as no credential', async () => {
    const ended = await signUp(service);
    const cookies = new Map(ended.cookies);
    await ended.post('/sign-out');
    const values = ['nonsense', '', '%', 'a'.repeat(5000), cookies.get('spaceport_session') ?? ''];
    for (const value of values) {
      const who = visitor(service);
      who.cookies.set('spaceport_session', value);
      const answer = await who.call('GET', '/api/agent/me');
      assert.equal(answer.status, 401);
      assert.equal(answer.json().error, 'unauthorized');
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }
    const { token } = await service.creator();
    const who = visitor(service);
    who.cookies.set('spaceport_session', token);
    assert.equal((await who.call('GET', '/api/agent/me')).status, 401);
  });

  it('refuses every kind of credential other than an API token as a bearer token', async () => {
    const call = (authorization: string) =>
      visitor(service).call('GET', '/api/agent/me', undefined, { authorization });
    for (const authorization of ['', 'Bearer', 'Basic YTpi', 'Bearer sp_device_x', 'Bearer sp_token_x']) {
      const answer = await call(authorization);
      assert.equal(answer.status, 401, authorization);
      assert.equal(answer.json().error, 'unauthorized');
    }
    const login = await visitor(service).call('POST', '/api/agent/login');
    assert.equal((await call(`Bearer ${login.json().device_code}`)).status, 401);
  });

  it('refuses the session when the account is banned', async () => {
    const who = await signUp(service, { handle: 'troll' });
    const troll = await db()
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'troll')
      .executeTakeFirst();
    const { platform } = service.service;
    await platform.database.transaction((tx) => setBanned(tx, troll?.id ?? givenId('usr', ''), true));
    assert.equal((await who.call('GET', '/api/agent/me')).status, 401);
    assert.equal((await who.get('/settings')).status, 303);
    const again = await visitor(service).post('/sign-in', { email: who.email, password: who.password });
    assert.equal(again.status, 403);
    assert.match(again.text(), /This account is banned/u);
    assert.equal(again.headers['set-cookie'], undefined);
    await platform.database.transaction((tx) => setBanned(tx, troll?.id ?? givenId('usr', ''), false));
    const lifted = await who.post('/sign-in', { email: who.email, password: who.password });
    assert.equal(lifted.status, 303);
  });
});
