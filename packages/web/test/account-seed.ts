import assert from 'node:assert/strict';
import { createTokens } from '../../server/src/accounts/tokens.ts';
import { givenId } from '../../server/src/platform/db/ids.ts';
import { fileEntries, listing, smallGame } from '../../server/test/files.ts';
import type { TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp, visitor } from '../../server/test/visitor.ts';

const dayMs = 86_400_000;

/** User agents of browsers. */
const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36 Edg/147.0.0.0',
];

/** Makes an account that has been used for a while: it has tokens, passkeys and other browsers. */
export async function settledAccount(service: TestService, handle: string): Promise<SignedUp> {
  const who = await signUp(service, { handle, name: 'Ada Lovelace', email: `${handle}@example.org` });
  const { platform } = service.service;
  const { db } = platform.database;
  const now = service.clock.now();
  const { id: creatorId } = await db
    .selectFrom('creators')
    .select('id')
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow();
  const tokens = createTokens(platform);
  await tokens.issue(creatorId, { name: null });
  await tokens.issue(creatorId, { name: 'spaceport on a laptop' });
  tokens.close();
  await db
    .updateTable('api_tokens')
    .set({ created_at: now - 12 * dayMs, last_used_at: now - 7_500_000 })
    .where('creator_id', '=', creatorId)
    .where('client_name', 'is not', null)
    .execute();
  const passkey = {
    public_key: 'x',
    creator_id: creatorId,
    counter: 0,
    device_type: 'multiDevice',
    backed_up: 1 as const,
    transports: 'internal',
    aaguid: null,
  };
  await db
    .insertInto('auth_passkeys')
    .values([
      {
        ...passkey,
        id: givenId('psk', `${handle}1`),
        name: 'Phone',
        credential_id: `${handle}c1`,
        created_at: now - 40 * dayMs,
      },
      {
        ...passkey,
        id: givenId('psk', `${handle}2`),
        name: null,
        credential_id: `${handle}c2`,
        created_at: now - dayMs,
      },
    ])
    .execute();
  for (const agent of agents) {
    const body = { email: who.email, password: who.password };
    const answer = await visitor(service).call('POST', '/api/account/sign-in', body, { 'user-agent': agent });
    assert.equal(answer.status, 200, answer.text());
  }
  return who;
}

export interface StartedLogin {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

/** Starts the sign-in of a program. Returns its codes. */
export async function startLogin(service: TestService, clientName: string): Promise<StartedLogin> {
  const answer = await service.anonymous.call('POST', '/api/agent/login', { client_name: clientName });
  assert.equal(answer.status, 200, answer.text());
  return answer.json();
}

/** Exchanges the program's device code. Returns its token, or the error while there is none. */
export async function exchange(
  service: TestService,
  { device_code }: StartedLogin,
): Promise<{ access_token?: string; error?: string }> {
  return (await service.anonymous.call('POST', '/api/agent/token', { device_code })).json();
}

/** Publishes a page without an account. Returns its claim token. */
export async function publishUnlisted(service: TestService): Promise<string> {
  const answer = await service.anonymous.call('POST', '/api/v1/hosting/versions', {
    fields: listing,
    files: fileEntries(smallGame),
  });
  assert.equal(answer.status, 201, answer.text());
  return answer.json().claimToken;
}
