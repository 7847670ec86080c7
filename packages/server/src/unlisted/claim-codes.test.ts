import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileEntries, listing } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { issueSecret } from '../platform/secrets/secret.ts';
import '../../test/one-engine.ts';

const versions = '/api/v1/hosting/versions';

/**
 * Checks the codes for an invalid claim token on each call that takes one, except create:
 * unlisted.test.ts checks that.
 */
describe('a claim token that is not valid', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000' } });
    creator = await service.creator();
  });
  after(() => service.close());

  /** Returns a version that waits for its file, and its claim token. */
  async function opened(): Promise<{ id: string; claim: string }> {
    const body = { fields: listing, files: fileEntries({ 'index.html': 'x' }) };
    const answer = await service.anonymous.call('POST', versions, body);
    assert.equal(answer.status, 201, answer.text());
    return { id: answer.json().version.id, claim: answer.json().claimToken };
  }
  type Call = (id: string, claim: string) => ReturnType<Persona['call']>;
  const header = (claim: string) => ({ 'x-service-claim': claim });
  const call: Persona['call'] = (...words) => service.anonymous.call(...words);
  const calls: Record<string, Call> = {
    'a version read': (id, claim) => call('GET', `${versions}/${id}`, undefined, header(claim)),
    'its files': (id, claim) => call('GET', `${versions}/${id}/files`, undefined, header(claim)),
    'fresh links': (id, claim) => call('POST', `${versions}/${id}/uploads`, undefined, header(claim)),
    finish: (id, claim) => call('POST', `${versions}/${id}/finish`, { claim }),
    'the claim read': (_id, claim) => call('GET', '/api/v1/hosting/claim', undefined, header(claim)),
  };
  const answers = async (id: string, claim: string) => {
    const found: Record<string, unknown> = {};
    for (const [name, ask] of Object.entries(calls)) {
      const answer = await ask(id, claim);
      found[name] = [answer.status, answer.json().code];
    }
    return found;
  };
  const all = (status: number, code: string) =>
    Object.fromEntries(Object.keys(calls).map((name) => [name, [status, code]]));

  it('is answered with claim_not_found everywhere when it was never issued', async () => {
    const { id } = await opened();
    assert.deepEqual(await answers(id, issueSecret('claim')), all(404, 'claim_not_found'));
  });

  it('is answered with claim_spent everywhere once its page was claimed', async () => {
    const { id, claim } = await opened();
    const claimed = await creator.call('POST', versions, {
      files: fileEntries({ 'index.html': 'y' }),
      claim,
    });
    assert.equal(claimed.status, 201, claimed.text());
    assert.deepEqual(await answers(id, claim), all(409, 'claim_spent'));
  });

  it('is answered with claim_expired everywhere after its end', async () => {
    const { id, claim } = await opened();
    service.clock.advance({ days: 7 });
    assert.deepEqual(await answers(id, claim), all(410, 'claim_expired'));
  });

  it('is refused when the account that finishes with it may not claim', async () => {
    const { id, claim } = await opened();
    const { db } = service.service.platform.database;
    const finish = async (change: { handle: null } | { banned_at: number }) => {
      const who = await service.creator();
      await db.updateTable('creators').set(change).where('handle', '=', who.handle).execute();
      const answer = await who.call('POST', `${versions}/${id}/finish`, { claim });
      return [answer.status, answer.json().code];
    };
    assert.deepEqual(await finish({ handle: null }), [409, 'claim_no_profile']);
    assert.deepEqual(await finish({ banned_at: 1 }), [403, 'claim_banned']);
    const none = await call('POST', `${versions}/${id}/uploads`);
    assert.deepEqual([none.status, none.json().code], [401, 'unauthorized']);
  });
});
