import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { letIn, oauthCalls } from '../../test/oauth.ts';
import { startService, type TestService } from '../../test/service.ts';
import { type SignedUp, signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

describe('a program that revokes its token', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService();
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  const { newClient, begin, exchange, revoke } = oauthCalls(() => service);
  const statusOf = async (token: string) =>
    (await service.anonymous.call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${token}` }))
      .status;
  async function signIn(): Promise<string> {
    const { path, fields } = begin(await newClient());
    const back = await letIn(ada, path);
    return (await exchange(fields(back.searchParams.get('code') ?? ''))).json().access_token;
  }

  it('finds the endpoint, and the token is invalid and gone from the settings', async () => {
    const document = await service.get(`${service.baseUrl}/.well-known/oauth-authorization-server`);
    const { revocation_endpoint: endpoint, revocation_endpoint_auth_methods_supported: methods } =
      document.json();
    assert.equal(endpoint, `${service.baseUrl}/oauth/revoke`);
    assert.deepEqual(methods, ['none']);

    const [token, other] = [await signIn(), await signIn()];
    const before = (await ada.call('GET', '/api/account/tokens')).json().tokens.length;
    // The token was used, so it is cached; the cache must drop it.
    assert.equal(await statusOf(token), 200);
    const answer = await revoke({ token, token_type_hint: 'access_token', client_id: 'cli_any' });
    assert.deepEqual([answer.status, answer.text()], [200, '']);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.deepEqual([await statusOf(token), await statusOf(other)], [401, 200]);
    assert.equal((await ada.call('GET', '/api/account/tokens')).json().tokens.length, before - 1);
  });

  it('gets the same answer for a token that is revoked, unknown or of another kind', async () => {
    const token = await signIn();
    assert.equal((await revoke({ token })).status, 200);
    for (const held of [token, 'sp_token_wrong', 'x'.repeat(2_000), 'refresh', '\u0000'])
      assert.equal((await revoke({ token: held, token_type_hint: 'refresh_token' })).status, 200, held);
  });

  it('must send a token', async () => {
    const wrong: Record<string, string>[] = [{}, { token: '' }, { token: 'x'.repeat(2_001) }];
    for (const fields of wrong) {
      const answer = await revoke(fields);
      assert.deepEqual(
        [answer.status, answer.json().error],
        [400, 'invalid_request'],
        JSON.stringify(fields),
      );
    }
  });

  it('is limited in attempts and exchanges per minute', async () => {
    const answers = [];
    for (let tries = 0; tries < 200; tries += 1) {
      const answer = tries % 2 === 0 ? await revoke({ token: 'x' }) : await exchange({});
      answers.push(answer);
      if (answer.status === 429) break;
    }
    const last = answers.at(-1);
    assert.deepEqual([last?.status, last?.json().error], [429, 'temporarily_unavailable']);
    assert.ok(Number(last?.headers['retry-after']) > 0);
    service.clock.advance({ minutes: 1 });
    assert.equal((await revoke({ token: 'x' })).status, 200);
  });
});
