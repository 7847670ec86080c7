import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { RawAnswer } from './raw-http.ts';
import type { TestService } from './service.ts';
import type { Visitor } from './visitor.ts';

type Fields = Record<string, string>;

export const callback = 'http://127.0.0.1:4312/callback';

/** Returns the single calls of an OAuth client, for requests that the official client would never send. */
export function oauthCalls(service: () => TestService) {
  const post = (path: string, type: string, body: string, headers = {}): Promise<RawAnswer> =>
    service().get(`${service().baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
      body,
    });
  const register = (body: object | string) =>
    post('/oauth/register', 'application/json', typeof body === 'string' ? body : JSON.stringify(body));
  const exchange = (fields: Fields) =>
    post('/oauth/token', 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());

  const revoke = (fields: Fields) =>
    post('/oauth/revoke', 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());

  return {
    register,
    exchange,
    revoke,

    async newClient(client_name = 'Helper'): Promise<string> {
      const answer = await register({ client_name, redirect_uris: [callback] });
      assert.equal(answer.status, 201, answer.text());
      return answer.json().client_id;
    },

    /** Returns the parameters for the page's address and for the exchange of its code. */
    begin(client_id: string, more: Fields = {}) {
      const code_verifier = randomBytes(32).toString('base64url');
      const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
      const query: Fields = {
        response_type: 'code',
        client_id,
        redirect_uri: callback,
        code_challenge,
        code_challenge_method: 'S256',
        state: 'a state',
        resource: `${service().baseUrl}/mcp`,
        ...more,
      };
      const path = `/oauth/authorize?${new URLSearchParams(query)}`;
      const fields = (code: string): Fields => ({
        grant_type: 'authorization_code',
        code,
        redirect_uri: query.redirect_uri ?? '',
        client_id,
        code_verifier,
        resource: `${service().baseUrl}/mcp`,
      });
      return { path, fields };
    },
  };
}

/** Approves a program, for one space if one is named. Returns the redirect address. */
export async function letIn(who: Visitor, path: string, scopes = ['publish'], space = ''): Promise<URL> {
  const boxes = Object.fromEntries(scopes.map((scope) => [`scope_${scope}`, 'on']));
  const answer = await who.post(path, { decision: 'approve', ...boxes, space });
  assert.equal(answer.status, 303, answer.text());
  return new URL(String(answer.headers.location));
}
