import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { page } from '../../test/files.ts';
import { callback, letIn, oauthCalls } from '../../test/oauth.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

const foreign = { origin: 'https://inspector.example', 'sec-fetch-site': 'cross-site' };
const accept = { accept: 'application/json, text/event-stream' };
const sentByClients = 'authorization, content-type, mcp-protocol-version, mcp-session-id, accept'.split(', ');
const documents = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
];
const posts = ['/oauth/token', '/oauth/register', '/oauth/revoke', '/mcp'];

describe('an endpoint that pages of any site may call', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    service.anonymous.call(method, path, body, { ...foreign, ...headers });
  const ask = (method: string, path: string, headers = 'authorization') =>
    call('OPTIONS', path, undefined, {
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    });
  const publish = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'publish', arguments: { files: [{ path: 'index.html', text: page }], wait: 0 } },
  };

  function readable(answer: RawAnswer): void {
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.match(String(answer.headers['access-control-expose-headers']), /\bWWW-Authenticate\b/u);
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  }

  it('answers the preflight request of a browser, and allows every header that clients send', async () => {
    for (const [method, path] of [
      ...documents.map((path) => ['GET', path] as const),
      ...posts.map((path) => ['POST', path] as const),
    ]) {
      const answer = await ask(method, path, sentByClients.join(','));
      assert.equal(answer.status, 204, path);
      readable(answer);
      assert.ok(String(answer.headers['access-control-allow-methods']).split(', ').includes(method), path);
      const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
      for (const name of sentByClients) assert.ok(allowed.includes(name), name);
    }
  });

  it('is readable from there, whether the call succeeds or is refused', async () => {
    for (const path of documents) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await call(method, path);
        assert.equal(answer.status, 200, `${method} ${path}`);
        readable(answer);
      }
    }
    for (const [path, body, status] of [
      ['/oauth/register', { redirect_uris: [callback] }, 201],
      ['/oauth/register', {}, 400],
      ['/oauth/token', 'grant_type=password', 400],
      ['/oauth/revoke', '', 400],
      ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 200],
      ['/mcp', '{', 400],
    ] as const) {
      const answer = await call('POST', path, body, accept);
      assert.equal(answer.status, status, path);
      readable(answer);
    }
    // A client asks for a stream, and goes on without one when the answer says that there is none.
    const stream = await call('GET', '/mcp', undefined, accept);
    assert.deepEqual([stream.status, stream.headers.allow], [405, 'POST']);
    readable(stream);
    const wrong = await call('POST', '/mcp', publish, { ...accept, authorization: 'Bearer sp_token_wrong' });
    assert.equal(wrong.status, 401);
    assert.match(String(wrong.headers['www-authenticate']), /^Bearer resource_metadata=/u);
    readable(wrong);
  });

  it('changes nothing without a token, so that a page cannot publish through its visitors', async () => {
    const senders: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      foreign,
    ];
    for (const headers of senders) {
      const answer = await service.anonymous.call('POST', '/mcp', publish, { ...accept, ...headers });
      assert.equal(answer.status, 401, JSON.stringify(headers));
      assert.match(String(answer.headers['www-authenticate']), /scope="publish"$/u);
    }
    const own: Record<string, string>[] = [{}, { origin: service.baseUrl }];
    for (const headers of own)
      assert.equal(
        (await service.anonymous.call('POST', '/mcp', publish, { ...accept, ...headers })).status,
        200,
      );
  });

  it('uses the token that it is sent, and never the session of the browser', async () => {
    const { newClient, begin, exchange } = oauthCalls(() => service);
    const { path, fields } = begin(await newClient());
    const code = (await letIn(ada, path)).searchParams.get('code') ?? '';
    const { access_token: token } = (await exchange(fields(code))).json();
    const spaces = { ...publish, params: { name: 'spaces', arguments: {} } };
    const done = await call('POST', '/mcp', spaces, { ...accept, authorization: `Bearer ${token}` });
    assert.equal(done.status, 200, done.text());
    const bySession = await ada.call('POST', '/mcp', spaces, { ...accept, ...foreign });
    assert.deepEqual(codeOf(bySession), [401, 'unauthorized']);
  });

  it('is not any other address: pages, the API and foreign host names stay closed', async () => {
    for (const [method, path] of [
      ['GET', '/oauth/authorize'],
      ['POST', '/oauth/authorize'],
      ['POST', '/api/agent/login'],
      ['GET', '/api/account'],
    ] as const)
      for (const answer of [await ask(method, path), await call(method, path)]) {
        assert.equal(answer.headers['access-control-allow-origin'], undefined, path);
        assert.equal(answer.headers['access-control-allow-headers'], undefined, path);
      }
    const rebound = await call('POST', '/mcp', publish, { ...accept, host: 'evil.example' });
    assert.deepEqual(codeOf(rebound), [421, 'wrong_host']);
  });

  it('answers an OPTIONS request without preflight headers as an unknown method', async () => {
    const answer = await call('OPTIONS', '/mcp');
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST']);
  });
});
