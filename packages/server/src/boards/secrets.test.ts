import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { changeBan } from '../operators/accounts.ts';
import { machineActor } from '../operators/audit.ts';

describe('the board secret', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function spaceOf(creator: Awaited<ReturnType<TestService['creator']>>) {
    const { slug } = (await publishLive(service, creator)).space;
    return { slug, path: `/api/spaces/${slug}/secret` };
  }
  /** Returns whether the secret is accepted: an empty body is refused only after the secret was checked. */
  const isTaken = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const { status } = await service.anonymous.call('POST', '/api/v1/scores', {}, headers);
    assert.ok(status === 401 || status === 422, String(status));
    return status === 422;
  };

  it('is shown once; later reads show only its times', async () => {
    const creator = await service.creator();
    const { path } = await spaceOf(creator);
    assert.deepEqual((await creator.call('GET', path)).json(), { secret: null });
    const issued = await creator.call('POST', path);
    assert.equal(issued.status, 201);
    const { secret, message } = issued.json();
    assert.match(secret, /^sp_secret_/u);
    assert.ok(message.length > 0);
    const first = (await creator.call('GET', path)).json().secret;
    assert.deepEqual(Object.keys(first), ['created_at', 'rotated_at']);
    assert.equal(first.rotated_at, null);
    service.clock.advance({ minutes: 1 });
    const second = (await creator.call('POST', path)).json().secret;
    assert.notEqual(second, secret);
    const replaced = (await creator.call('GET', path)).json().secret;
    assert.equal(replaced.created_at, first.created_at);
    assert.ok(Date.parse(replaced.rotated_at) - Date.parse(first.created_at) >= 60_000);
  });

  it('ends the previous secret at once', async () => {
    const creator = await service.creator();
    const { path } = await spaceOf(creator);
    const first = (await creator.call('POST', path)).json().secret;
    assert.ok(await isTaken(first));
    const second = (await creator.call('POST', path)).json().secret;
    assert.equal(await isTaken(first), false);
    assert.ok(await isTaken(second));
  });

  it('leaves one valid secret when several are issued at once', async () => {
    const creator = await service.creator();
    const { path } = await spaceOf(creator);
    const issued = await Promise.all(Array.from({ length: 5 }, () => creator.call('POST', path)));
    const taken = await Promise.all(issued.map((answer) => isTaken(answer.json().secret)));
    assert.equal(taken.filter(Boolean).length, 1);
  });

  it('is refused when it is unknown or its space was removed', async () => {
    const creator = await service.creator();
    const { slug, path } = await spaceOf(creator);
    const { secret } = (await creator.call('POST', path)).json();
    const wrong = ['', 'sp_secret_nonsense', creator.token, `${secret.slice(0, -1)}x`];
    for (const credential of wrong) assert.equal(await isTaken(credential), false, credential);
    const operator = await service.creator(undefined, { operator: true });
    const act = (action: string) =>
      operator.call('POST', `/api/operator/spaces/${slug}/${action}`, { reason: 'test' });
    assert.equal((await act('remove')).status, 200);
    assert.equal(await isTaken(secret), false);
    assert.equal((await act('restore')).status, 200);
    assert.ok(await isTaken(secret));
  });

  it('is issued only to the space’s creator, and is valid only for server calls', async () => {
    const creator = await service.creator();
    const stranger = await service.creator();
    const { slug, path } = await spaceOf(creator);
    for (const method of ['GET', 'POST']) {
      assert.deepEqual(codeOf(await stranger.call(method, path)), [404, 'not_found']);
      assert.deepEqual(codeOf(await service.anonymous.call(method, path)), [401, 'unauthorized']);
    }
    const { secret } = (await creator.call('POST', path)).json();
    const headers = { authorization: `Bearer ${secret}` };
    const asToken = await service.anonymous.call('GET', `/api/spaces/${slug}`, undefined, headers);
    assert.deepEqual(codeOf(asToken), [401, 'unauthorized']);
    assert.equal(asToken.headers['www-authenticate'], 'Bearer');
  });

  it('is not issued to a banned account, and the existing secret still posts', async () => {
    const creator = await service.creator();
    const { path } = await spaceOf(creator);
    const { secret } = (await creator.call('POST', path)).json();
    await changeBan(service.service.platform, creator.handle, {
      banned: true,
      reason: null,
      by: machineActor,
    });
    assert.deepEqual(codeOf(await creator.call('POST', path)), [403, 'forbidden']);
    assert.match((await creator.call('GET', path)).text(), /banned/u);
    assert.ok(await isTaken(secret));
  });
});
