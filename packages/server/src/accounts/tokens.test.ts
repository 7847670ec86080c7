import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf, hostingCodeOf } from '../../test/answers.ts';
import { askSoon } from '../../test/ask-until.ts';
import { fileEntries, listing, smallGame } from '../../test/files.ts';
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

  /** Issues a token as a device gets it. */
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
  /** Returns the id that the form beside a token's name sends. */
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
    // The use is recorded in parallel with the answer, not before it.
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

  it('can be revoked only by their own account', async () => {
    const token = await issue('kept program');
    const id = await idOf('kept program');
    const stranger = await signUp(service);
    for (const tried of [id, 'nonsense', '']) {
      const refused = await stranger.post('/settings/tokens/revoke', { id: tried });
      assert.equal(refused.status, 404);
      assert.match(refused.text(), /There is no such token/u);
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
      await askSoon(async () => (await me(token, node)).status, 401);
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

const path = '/api/account/tokens';
const created = { fields: listing, files: fileEntries(smallGame) };

describe('a token that its owner creates in the settings', () => {
  let service: TestService;
  let ops: SignedUp;
  let ada: SignedUp;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ops = await signUp(service, { handle: 'ops' });
    ada = await signUp(service, { handle: 'ada' });
    slug = (await ada.call('POST', '/api/v1/hosting/versions', created)).json().space.slug;
  });
  after(() => service.close());

  const by = (token: string, method: string, to: string, body?: unknown) =>
    service.anonymous.call(method, to, body, { authorization: `Bearer ${token}` });
  const make = (wish: unknown, who = ada) => who.call('POST', path, wish);
  const list = async (who = ada) => (await who.call('GET', path)).json().tokens;
  const issuesOf = (answer: { json(): { issues?: { path: string }[] } }) =>
    answer.json().issues?.map((issue) => issue.path);

  it('is shown once, with its scopes and its end', async () => {
    const answer = await make({ name: ' A build server ', scopes: ['publish'], space: slug, days: 7 });
    assert.equal(answer.status, 201, answer.text());
    const { token, about } = answer.json();
    assert.deepEqual([about.client_name, about.scopes, about.space], ['A build server', ['publish'], slug]);
    assert.equal(Date.parse(about.expires_at) - Date.parse(about.created_at), 7 * 86_400_000);
    const listed = await ada.call('GET', path);
    assert.deepEqual(listed.json().tokens[0], about);
    assert.ok(!listed.text().includes(token));
    assert.equal((await by(token, 'GET', `/api/spaces/${slug}`)).status, 200);
    const boards = await by(token, 'GET', `/api/spaces/${slug}/boards`);
    assert.deepEqual([...codeOf(boards), boards.json().scope], [403, 'forbidden', 'boards']);
    service.clock.advance({ days: 8 });
    assert.deepEqual(codeOf(await by(token, 'GET', `/api/spaces/${slug}`)), [401, 'unauthorized']);
  });

  it('lasts the maximum when no end is given, and never longer', async () => {
    const { about } = (await make({ name: 'CI', scopes: ['publish'] })).json();
    assert.equal(Date.parse(about.expires_at) - Date.parse(about.created_at), 90 * 86_400_000);
    const longer = await make({ name: 'CI', scopes: ['publish'], days: 91 });
    assert.deepEqual([...codeOf(longer), issuesOf(longer)], [422, 'invalid', ['days']]);
  });

  it('has no scope that its owner lacks', async () => {
    assert.deepEqual(codeOf(await make({ name: 'CI', scopes: ['operate'] })), [403, 'forbidden']);
    assert.deepEqual(codeOf(await make({ name: 'CI', scopes: ['publish'], space: 'nowhere' })), [
      404,
      'not_found',
    ]);
    const foreign = await make({ name: 'CI', scopes: ['publish'], space: slug }, ops);
    assert.deepEqual(codeOf(foreign), [404, 'not_found']);
    for (const wrong of [{ scopes: [] }, { scopes: ['all'] }, { name: '' }, { name: ' ' }])
      assert.deepEqual(codeOf(await make({ name: 'CI', scopes: ['publish'], ...wrong })), [422, 'invalid']);
    const made = await make({ name: 'Desk', scopes: ['operate'] }, ops);
    assert.equal((await by(made.json().token, 'GET', '/api/operator/accounts')).status, 200);
    const { token } = (await make({ name: 'CI', scopes: ['publish'] })).json();
    assert.deepEqual(codeOf(await by(token, 'POST', path, { name: 'More', scopes: ['boards'] })), [
      401,
      'unauthorized',
    ]);
  });

  it('can be narrowed at once, and never widened', async () => {
    const { token, about } = (await make({ name: 'CI', scopes: ['publish', 'boards'] })).json();
    const change = (what: unknown, who = ada) => who.call('PATCH', `${path}/${about.id}`, what);
    const boards = `/api/spaces/${slug}/boards`;
    assert.equal((await by(token, 'GET', boards)).status, 200);
    const wider = await change({ scopes: ['publish', 'boards', 'moderate'] });
    assert.deepEqual([...codeOf(wider), issuesOf(wider)], [422, 'invalid', ['scopes']]);
    assert.deepEqual(codeOf(await change({ scopes: ['publish'] }, ops)), [404, 'not_found']);
    assert.deepEqual((await change({ scopes: ['publish'], name: 'Build' })).json().token.scopes, ['publish']);
    const narrowed = await by(token, 'GET', boards);
    assert.deepEqual([...codeOf(narrowed), narrowed.json().scope], [403, 'forbidden', 'boards']);
    assert.equal((await by(token, 'POST', '/api/v1/hosting/versions', created)).status, 201);

    assert.deepEqual(codeOf(await change({ space: 'nowhere' })), [404, 'not_found']);
    assert.equal((await change({ space: slug })).json().token.space, slug);
    const another = await by(token, 'POST', '/api/v1/hosting/versions', created);
    assert.deepEqual([...hostingCodeOf(another), another.json().space], [403, 'forbidden', slug]);
    const second = (await ada.call('GET', '/api/spaces')).json().spaces[0].slug;
    const moved = await change({ space: second });
    assert.deepEqual([...codeOf(moved), issuesOf(moved)], [422, 'invalid', ['space']]);
    const [listed] = await list();
    assert.deepEqual([listed.client_name, listed.scopes, listed.space], ['Build', ['publish'], slug]);

    await ada.call('DELETE', `${path}/${about.id}`);
    assert.deepEqual(codeOf(await change({ name: 'x' })), [404, 'not_found']);
  });

  it('is created and narrowed by plain forms too', async () => {
    const form = { name: 'By form', space: slug, days: '30', scope_publish: 'on', scope_boards: 'on' };
    const answer = await ada.post('/settings/tokens', form);
    assert.equal(answer.status, 200, answer.text());
    const [token] = /sp_token_[\w-]+/u.exec(answer.text()) ?? [];
    assert.equal((await by(token ?? '', 'GET', `/api/spaces/${slug}`)).status, 200);
    assert.ok(!(await ada.get('/settings')).text().includes(token ?? ''));
    const [listed] = await list();
    assert.deepEqual([listed.client_name, listed.space], ['By form', slug]);
    const less = { id: listed.id, scope_boards: 'on' };
    assert.equal((await ada.post('/settings/tokens/narrow', less)).status, 303);
    assert.deepEqual((await list())[0].scopes, ['boards']);
    const none = await ada.post('/settings/tokens/narrow', { id: listed.id });
    assert.equal(none.status, 422);
    assert.match(none.text(), /To take everything away, revoke the token/u);
    assert.deepEqual((await list())[0].scopes, ['boards']);
    const nameless = await ada.post('/settings/tokens', { ...form, name: '' });
    assert.equal(nameless.status, 422);
    assert.match(nameless.text(), />Write a name of/u);
  });
});
