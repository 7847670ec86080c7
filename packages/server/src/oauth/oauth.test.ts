import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callback, letIn, oauthCalls } from '../../test/oauth.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';

describe('a program that signs somebody in by OAuth', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    await service.creator('first');
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  const { register, exchange, newClient, begin } = oauthCalls(() => service);
  const refusal = (answer: RawAnswer) => [answer.status, answer.json().error];
  const codeOf = (url: URL) => url.searchParams.get('code') ?? '';
  const whoIs = (token: string) =>
    service.anonymous.call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${token}` });

  it('finds the OAuth endpoints, beginning with the refusal of /mcp', async () => {
    const open = async (path: string) => (await service.get(service.baseUrl + path)).json();
    const resource = await open('/.well-known/oauth-protected-resource/mcp');
    assert.equal(resource.resource, `${service.baseUrl}/mcp`);
    assert.deepEqual(resource.authorization_servers, [service.baseUrl]);
    assert.deepEqual(await open('/.well-known/oauth-protected-resource'), resource);
    const server = await open('/.well-known/oauth-authorization-server');
    assert.equal(server.issuer, service.baseUrl);
    assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
    assert.ok(!server.scopes_supported.includes('operate'));
    assert.equal(server.client_id_metadata_document_supported, true);
  });

  it('gets a token once, with the ticked scopes, and the person can see and revoke it', async () => {
    const { path, fields } = begin(await newClient('Moon Editor'));
    const shown = await ada.get(path);
    assert.equal(shown.status, 200, shown.text());
    for (const words of ['Moon Editor', '127.0.0.1:4312', '@ada', 'scope_publish', 'scope_moderate'])
      assert.ok(shown.text().includes(words), words);
    assert.ok(!shown.text().includes('scope_operate'));
    assert.match(
      String(shown.headers['content-security-policy']),
      /form-action 'self' http:\/\/127\.0\.0\.1:4312; frame-ancestors 'none'/u,
    );
    const back = await letIn(ada, path, ['publish', 'boards']);
    assert.equal(`${back.origin}${back.pathname}`, callback);
    assert.deepEqual(
      [back.searchParams.get('state'), back.searchParams.get('iss')],
      ['a state', service.baseUrl],
    );
    const answer = await exchange(fields(codeOf(back)));
    assert.equal(answer.status, 200, answer.text());
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { access_token: token, expires_in: seconds, ...rest } = answer.json();
    assert.equal(Math.ceil(seconds / 86_400), 90);
    assert.deepEqual(rest, { token_type: 'Bearer', scope: 'publish boards' });
    const me = (await whoIs(token)).json();
    assert.deepEqual([me.creator.handle, me.token.client_name], ['ada', 'Moon Editor']);

    const { tokens } = (await ada.call('GET', '/api/account/tokens')).json();
    const listed = tokens.find(({ client_name }: { client_name: string }) => client_name === 'Moon Editor');
    assert.deepEqual(listed.scopes, ['publish', 'boards']);
    await ada.call('DELETE', `/api/account/tokens/${listed.id}`);
    assert.deepEqual(refusal(await whoIs(token)), [401, 'unauthorized']);
  });

  it('gets an error when the person denies the request or ticks nothing', async () => {
    const { path } = begin(await newClient());
    const denied = new URL(String((await ada.post(path, { decision: 'deny' })).headers.location));
    assert.equal(denied.searchParams.get('error'), 'access_denied');
    assert.deepEqual(
      [denied.searchParams.get('state'), denied.searchParams.get('iss'), denied.searchParams.get('code')],
      ['a state', service.baseUrl, null],
    );
    const none = await ada.post(path, { decision: 'approve' });
    assert.equal(none.status, 422);
    assert.ok(none.text().includes('Tick at least one'));
  });

  it('waits while the person signs in, and accepts no form from another site', async () => {
    const { path } = begin(await newClient());
    const stranger = visitor(service);
    const first = await stranger.get(path);
    assert.equal(first.headers.location, `/sign-in?${new URLSearchParams({ next: path })}`);
    assert.equal(
      (await stranger.post(path, { decision: 'approve', scope_publish: 'on' })).headers.location,
      path,
    );
    const foreign = await ada.post(
      path,
      { decision: 'approve', scope_publish: 'on' },
      { 'sec-fetch-site': 'cross-site' },
    );
    assert.equal(foreign.status, 403);
    assert.match(foreign.text(), /was not sent from one of our own pages/u);
  });

  it('loses the token when its code is used a second time', async () => {
    const { path, fields } = begin(await newClient());
    const code = codeOf(await letIn(ada, path));
    const { access_token: token } = (await exchange(fields(code))).json();
    assert.equal((await whoIs(token)).status, 200);
    assert.deepEqual(refusal(await exchange(fields(code))), [400, 'invalid_grant']);
    assert.deepEqual(refusal(await whoIs(token)), [401, 'unauthorized']);
    assert.deepEqual(refusal(await exchange(fields(code))), [400, 'invalid_grant']);
  });

  it('gets one token for two exchanges at once', async () => {
    const { path, fields } = begin(await newClient());
    const code = codeOf(await letIn(ada, path));
    const answers = await Promise.all([
      exchange(fields(code)),
      exchange(fields(code)),
      exchange(fields(code)),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('gets no token when anything else in the exchange is wrong', async () => {
    const { path, fields } = begin(await newClient());
    const right = fields(codeOf(await letIn(ada, path)));
    for (const [change, code] of [
      [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: 'short' }, 'invalid_request'],
      [{ client_id: await newClient() }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ code: 'x' }, 'invalid_grant'],
      [{ code: '' }, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: '' }, 'unsupported_grant_type'],
    ] as const) {
      const answer = await exchange({ ...right, ...change });
      assert.deepEqual(refusal(answer), [400, code], JSON.stringify(change));
      assert.equal(typeof answer.json().error_description, 'string');
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
    service.clock.advance({ seconds: 61 });
    assert.deepEqual(refusal(await exchange(right)), [400, 'invalid_grant']);
  });

  it('gets no token when the person was banned since the approval', async () => {
    const operator = await service.creator('ops', { operator: true });
    const eve = await signUp(service, { handle: 'eve' });
    const { path, fields } = begin(await newClient());
    const code = codeOf(await letIn(eve, path));
    const banned = await operator.call('POST', '/api/operator/accounts/eve/ban', { reason: 'spam' });
    assert.equal(banned.status, 200, banned.text());
    assert.deepEqual(refusal(await exchange(fields(code))), [400, 'invalid_grant']);
  });

  it('never redirects to an address that the program did not register', async () => {
    const client = await newClient();
    const wrong: Record<string, string>[] = [
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: `${callback}/` },
      { redirect_uri: 'http://127.0.0.1:4312@evil.example/callback' },
      { redirect_uri: 'javascript:alert(1)' },
      { redirect_uri: '' },
      { client_id: 'cli_none' },
      { client_id: '' },
    ];
    for (const more of wrong) {
      const { path } = begin(client, more);
      for (const answer of [
        await ada.get(path),
        await ada.post(path, { decision: 'approve', scope_publish: 'on' }),
        await ada.post(path, { decision: 'deny' }),
      ]) {
        assert.equal(answer.status, 422, JSON.stringify(more));
        assert.equal(answer.headers.location, undefined);
      }
    }
    // Another port on the person's own machine belongs to the same program.
    const { path } = begin(client, { redirect_uri: 'http://127.0.0.1:9999/callback' });
    assert.equal((await letIn(ada, path)).port, '9999');
  });

  it('is redirected back with an error when its request cannot be granted', async () => {
    const client = await newClient();
    for (const [more, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ scope: 'everything' }, 'invalid_scope'],
    ] as const) {
      const answer = await ada.get(begin(client, more).path);
      assert.equal(answer.status, 303, JSON.stringify(more));
      const back = new URL(String(answer.headers.location));
      assert.equal(back.searchParams.get('error'), error);
      assert.equal(back.searchParams.get('iss'), service.baseUrl);
    }
  });

  it('gets the operate scope only from an operator, and only when it asks for it by name', async () => {
    const { path, fields } = begin(await newClient(), { scope: 'publish operate' });
    const refused = await ada.post(path, { decision: 'approve', scope_operate: 'on' });
    assert.equal(refused.status, 403);
    assert.match(refused.text(), /Only an operator can let a program operate/u);
    const usual = await ada.post(begin(await newClient()).path, { decision: 'approve', scope_operate: 'on' });
    assert.equal(usual.status, 422);
    assert.match(usual.text(), /Only scopes that the program asked for/u);
    const keeper = await signUp(service, { handle: 'keeper' });
    const { db } = service.service.platform.database;
    await db.updateTable('creators').set({ operator: 1 }).where('handle', '=', 'keeper').execute();
    const { access_token: token, scope } = (
      await exchange(fields(codeOf(await letIn(keeper, path, ['operate']))))
    ).json();
    assert.equal(scope, 'operate');
    assert.deepEqual((await whoIs(token)).json().token.scopes, ['operate']);
  });

  it('registers with valid redirect addresses, at a limited rate', async () => {
    for (const [body, error] of [
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['http://example.org/'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_client_metadata'],
      [{}, 'invalid_client_metadata'],
      ['{', 'invalid_client_metadata'],
      [{ redirect_uris: [callback], client_name: 'x'.repeat(81) }, 'invalid_client_metadata'],
    ] as const)
      assert.deepEqual(refusal(await register(body)), [400, error], JSON.stringify(body));
    const hidden = await register({ redirect_uris: [callback], client_name: 'a\u202eb\nc' });
    assert.equal(hidden.json().client_name, 'a b c');
    const large = await register({ redirect_uris: [callback], software_id: 'x'.repeat(20_000) });
    assert.deepEqual(refusal(large), [413, 'invalid_request']);

    const few = await startService({ environment: { DEVICE_LOGINS_PER_HOUR: '1' } });
    try {
      const calls = oauthCalls(() => few);
      await calls.newClient();
      const answer = await calls.register({ redirect_uris: [callback] });
      assert.deepEqual(refusal(answer), [429, 'temporarily_unavailable']);
      assert.ok(Number(answer.headers['retry-after']) > 0);
    } finally {
      await few.close();
    }
  });

  it('is forgotten when nobody approves it for a day', async () => {
    const [unused, used] = [await newClient(), await newClient()];
    await letIn(ada, begin(used).path);
    service.clock.advance({ hours: 25 });
    await service.service.sweep();
    assert.equal((await ada.get(begin(used).path)).status, 200);
    const forgotten = await ada.get(begin(unused).path);
    assert.equal(forgotten.status, 422);
    assert.match(forgotten.text(), /is not known here: let it register again/u);
  });
});
