import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LogLine, readableLog } from '../../test/log-lines.ts';
import { type Outage, startWithOutage } from '../../test/outage.ts';
import type { TestService } from '../../test/service.ts';
import { type SignedUp, signUp, visitor } from '../../test/visitor.ts';

describe('signing in while the database is away', () => {
  let outage: Outage;
  let service: TestService;
  let ada: SignedUp;
  const { log, lines } = readableLog();
  before(async () => {
    outage = await startWithOutage({ log });
    service = outage.service;
    ada = await signUp(service, { handle: 'ada' });
  });
  after(() => outage.close());

  it('is answered with 503 quickly, and works again when the database is back', async () => {
    const nobody = visitor(service);
    const form = { email: ada.email, password: ada.password };
    const writes = {
      'sign in': () => nobody.post('/sign-in', form),
      'sign up': () => nobody.post('/sign-up', { ...form, name: 'Ada', email: 'new@example.org' }),
      'a device': () => nobody.call('POST', '/api/agent/login'),
      'a passkey': () => nobody.call('GET', '/api/auth/passkey/generate-authenticate-options'),
    };
    const reads = {
      settings: () => ada.get('/settings'),
      'the API with a session': () => ada.call('GET', '/api/agent/me'),
    };
    await outage.begin();
    for (const [what, ask] of Object.entries(outage.readsGoOn ? writes : { ...writes, ...reads })) {
      const startedAt = performance.now();
      const answer = await ask();
      assert.equal(answer.status, 503, `${what}: ${answer.text()}`);
      assert.ok(Number(answer.headers['retry-after']) > 0, what);
      assert.equal(answer.headers['set-cookie'], undefined);
      // A browser asks for a page again by itself, and never sends a form again.
      assert.equal(answer.headers.refresh, what === 'settings' ? '5' : undefined, what);
      // A write waits 1.5 seconds for the lock. A request that waited for a second one would take twice as long.
      const took = performance.now() - startedAt;
      assert.ok(took < 3_000, `${what}: ${took} ms`);
    }
    if (outage.readsGoOn) {
      for (const ask of Object.values(reads)) assert.equal((await ask()).status, 200);
    }
    // Each line of such a request has one that says why, for pages as for the API.
    const isAway = ({ status }: LogLine) => status === 503;
    while (!lines.some((line) => isAway(line) && line.path === '/sign-up')) await new Promise(setImmediate);
    for (const { reqId, path = '' } of lines.filter(isAway))
      assert.ok(
        lines.some((line) => line.reqId === reqId && line.msg === 'unavailable' && line.err),
        path,
      );
    await outage.end();
    assert.equal((await ada.get('/settings')).status, 200);
    assert.equal((await nobody.post('/sign-in', form)).status, 303);
  });
});
