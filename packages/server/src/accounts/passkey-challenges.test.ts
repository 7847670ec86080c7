import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { startService, type TestService } from '../../test/service.ts';
import { softwarePasskey } from '../../test/software-passkey.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';

const routes = '/api/auth/passkey';

describe('the challenge of a passkey', () => {
  let service: TestService;
  let ada: SignedUp;
  before(async () => {
    service = await startService();
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => service.close());

  it('is asked for by a session, and answered from a page of the service', async () => {
    const nobody = visitor(service);
    const unsigned = await nobody.call('GET', `${routes}/generate-register-options`);
    assert.equal(unsigned.status, 401);
    assert.equal(unsigned.json().error, 'unauthorized');
    for (const path of ['verify-registration', 'verify-authentication']) {
      const forged = await ada.call('POST', `${routes}/${path}`, { response: { id: 'x' } });
      assert.equal(forged.status, 422, forged.text());
      assert.equal(forged.json().error, 'invalid');
      const malformed = await ada.call('POST', `${routes}/${path}`, 7);
      assert.deepEqual(codeOf(malformed), [422, 'invalid']);
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      const sent = await ada.call('POST', `${routes}/${path}`, { response: {} }, foreign);
      assert.equal(sent.status, 403);
      assert.equal(sent.json().error, 'forbidden');
    }
  });

  it('makes a passkey only in the account that asked for it, and only by a session that began today', async () => {
    const who = await signUp(service);
    const other = await signUp(service);
    const begun = await who.call('GET', `${routes}/generate-register-options`);
    assert.equal(begun.status, 200);
    const cookie = begun.headers['set-cookie']?.[0] ?? '';
    assert.match(
      cookie,
      /^spaceport\.passkey_challenge=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/u,
    );
    other.cookies.set('spaceport.passkey_challenge', who.cookies.get('spaceport.passkey_challenge') ?? '');
    const clientData = JSON.stringify({ challenge: begun.json().challenge });
    const response = {
      id: 'AA',
      rawId: 'AA',
      type: 'public-key',
      response: { clientDataJSON: Buffer.from(clientData).toString('base64url'), attestationObject: 'AA' },
    };
    const verify = (by: SignedUp) => by.call('POST', `${routes}/verify-registration`, { response });
    assert.deepEqual(codeOf(await verify(other)), [422, 'invalid']);
    assert.deepEqual(codeOf(await verify(who)), [403, 'forbidden']);
    // A challenge works once.
    assert.deepEqual(codeOf(await verify(who)), [422, 'invalid']);
    service.clock.advance({ hours: 25 });
    const late = await who.call('GET', `${routes}/generate-register-options`);
    assert.deepEqual(codeOf(late), [403, 'forbidden']);
  });

  it('works in two tabs of a browser at once, and in no other browser', async () => {
    const [who, other] = [await signUp(service), await signUp(service)];
    const begin = async (what: string): Promise<string> =>
      (await who.call('GET', `${routes}/${what}`)).json().challenge;
    const { BASE_URL: origin } = service.service.platform.config;
    const make = (by: SignedUp, challenge: string) =>
      by.call('POST', `${routes}/verify-registration`, { response: softwarePasskey({ challenge, origin }) });
    const first = await begin('generate-register-options');
    const second = await begin('generate-register-options');
    await begin('generate-authenticate-options');
    await other.call('GET', `${routes}/generate-register-options`);
    assert.deepEqual(codeOf(await make(other, first)), [422, 'invalid']);
    for (const challenge of [first, second]) assert.equal((await make(who, challenge)).status, 200);
    assert.deepEqual(codeOf(await make(who, second)), [422, 'invalid']);
  });

  it('is one that the service has made, for a browser that it knows', async () => {
    const who = await signUp(service);
    who.cookies.set('spaceport.passkey_challenge', 'mine');
    const begun = await who.call('GET', `${routes}/generate-register-options`);
    assert.match(begun.headers['set-cookie']?.[0] ?? '', /^spaceport\.passkey_challenge=[\w-]{43};/u);
    for (const clientData of ['AA', '', 'null', '{}', '{"challenge":7}', '{"challenge":"mine"}']) {
      const clientDataJSON = Buffer.from(clientData).toString('base64url');
      const response = { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON } };
      const made = { ...response.response, attestationObject: 'AA' };
      const used = { ...response.response, authenticatorData: 'AA', signature: 'AA' };
      for (const [path, body] of [
        ['verify-registration', { response: { ...response, response: made } }],
        ['verify-authentication', { response: { ...response, response: used } }],
      ] as const)
        assert.deepEqual(codeOf(await who.call('POST', `${routes}/${path}`, body)), [422, 'invalid']);
    }
  });

  it('comes with no library routes for passwords or sessions', async () => {
    for (const path of [
      '/api/auth/sign-up/email',
      '/api/auth/sign-in/email',
      '/api/auth/get-session',
      '/api/auth/ok',
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await ada.call(method, path, method === 'POST' ? {} : undefined);
        assert.deepEqual(codeOf(answer), [404, 'not_found'], `${method} ${path}`);
      }
    }
  });
});
