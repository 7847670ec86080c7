import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';

describe('the tokens of an account', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  /** A token as a device gets it. */
  async function issue(clientName: string, who = ada): Promise<string> {
    const login = (
      await service.anonymous.call('POST', '/api/agent/login', { client_name: clientName })
    ).json();
    await who.post('/device', { user_code: login.user_code, decision: 'approve' });
    const { device_code } = login;
    return (await service.anonymous.call('POST', '/api/agent/token', { device_code })).json().access_token;
  }
  const me = (token: string, on: TestService = service) =>
    on.anonymous.call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${token}` });
  /** The id that the form beside a token's name sends. */
  async function idOf(clientName: string, who = ada): Promise<string> {
    const text = (await who.get('/settings')).text();
    const row = text.split('<li').find((part) => part.includes(clientName));
    const id = /name="id" value="([^"]+)"/u.exec(row ?? '')?.[1];
    assert.ok(id, `${clientName} is not listed`);
    return id;
  }

  it('are listed with when they were made and last used, and are never shown', async () => {
    const token = await issue('unused program');
    const before = (await ada.get('/settings')).text();
    assert.match(
      before.replaceAll(/<[^>]*>/gu, ''),
      /unused programPublish, Boards and achievements, Moderate · all your spacesmade just now · never used · ends in 3 months/u,
    );
    assert.ok(!before.includes(token));
    await me(token);
    const today = new Date(service.clock.now()).toISOString().slice(0, 10);
    let listed = '';
    // The use is noted beside the answer, not before it.
    for (let look = 0; look < 100 && !listed.includes('last used'); look++) {
      listed = (await ada.get('/settings')).text();
    }
    assert.match(listed, new RegExp(`last used <time dateTime="${today}`, 'iu'));
  });

  it('are refused from the moment they are revoked', async () => {
    const token = await issue('stolen program');
    assert.equal((await me(token)).status, 200);
    const answer = await ada.post('/settings/tokens/revoke', { id: await idOf('stolen program') });
    assert.equal(answer.headers.location, '/settings?done=revoked');
    const refused = await me(token);
    assert.equal(refused.status, 401);
    assert.equal(refused.json().error, 'unauthorized');
    assert.ok(!(await ada.get('/settings')).text().includes('stolen program'));
  });

  it("are their own account's to revoke", async () => {
    const token = await issue('kept program');
    const id = await idOf('kept program');
    const stranger = await signUp(service);
    for (const tried of [id, 'nonsense', '']) {
      assert.equal((await stranger.post('/settings/tokens/revoke', { id: tried })).status, 404);
    }
    assert.equal(
      (await visitor(service).post('/settings/tokens/revoke', { id })).headers.location,
      '/sign-in',
    );
    const foreign = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await ada.post('/settings/tokens/revoke', { id }, foreign)).status, 403);
    assert.equal((await me(token)).status, 200);
  });

  it('are revoked on every node', async () => {
    const token = await issue('far program');
    // A second node on the same database and files.
    const node = await startService({ environment: { ...service.environment, PORT: '0' } });
    try {
      assert.equal((await me(token, node)).status, 200);
      await ada.post('/settings/tokens/revoke', { id: await idOf('far program') });
      assert.equal((await me(token)).status, 401);
      const deadline = performance.now() + 5_000;
      let status = 200;
      while (status === 200 && performance.now() < deadline) status = (await me(token, node)).status;
      assert.equal(status, 401);
    } finally {
      await node.close();
    }
  });

  it('end after ninety days', async () => {
    const { token } = await service.creator();
    service.clock.advance({ days: 89 });
    assert.equal((await me(token)).status, 200);
    service.clock.advance({ days: 2 });
    const answer = await me(token);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
  });
});
