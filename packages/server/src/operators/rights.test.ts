import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import { codeOf } from '../../test/answers.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

const all: readonly Operation[] = operations;
const operatorOperations = all.filter(({ path }) => path.startsWith('/api/operator/'));

describe('the calls of operators', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  before(async () => {
    service = await startService();
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator();
  });
  after(() => service.close());

  const send = ({ method, path, body }: Operation, who: Pick<Persona, 'call'>) =>
    who.call(method, path.replaceAll(/\{\w+\}/gu, 'something'), body ? {} : undefined);

  it('are for operators only, each of them', async () => {
    assert.ok(operatorOperations.length >= 19);
    for (const operation of operatorOperations) {
      assert.equal(operation.credential, 'operator', operation.id);
      const anonymous = await send(operation, service.anonymous);
      assert.deepEqual(codeOf(anonymous), [401, 'unauthorized'], operation.id);
      assert.equal(anonymous.headers['www-authenticate'], 'Bearer');
      assert.deepEqual(codeOf(await send(operation, creator)), [403, 'forbidden'], operation.id);
    }
  });

  it('accept an operator’s session too, from the service’s own pages alone', async () => {
    const browser = await signUp(service, { handle: 'seated' });
    assert.deepEqual(codeOf(await browser.call('GET', '/api/operator/audit')), [403, 'forbidden']);
    const { db } = service.service.platform.database;
    await db.updateTable('creators').set({ operator: 1 }).where('handle', '=', 'seated').execute();
    assert.equal((await browser.call('GET', '/api/operator/audit')).status, 200);
    const block = (headers: Record<string, string>) =>
      browser.call('POST', '/api/operator/blocks', { host: 'spam.example', reason: 'spam' }, headers);
    const foreign = await block({ 'sec-fetch-site': 'cross-site' });
    assert.deepEqual(codeOf(foreign), [403, 'forbidden']);
    assert.deepEqual((await browser.call('GET', '/api/operator/blocks')).json().blocks, []);
    assert.equal((await block({})).status, 200);
    const { entries } = (await browser.call('GET', '/api/operator/audit')).json();
    assert.equal(entries[0].actor, 'seated');
  });

  it('are refused after the right is taken away, and to a banned operator', async () => {
    const { db } = service.service.platform.database;
    const second = await service.creator('second', { operator: true });
    const third = await service.creator('third', { operator: true });
    assert.equal((await second.call('GET', '/api/operator/audit')).status, 200);
    const banned = await operator.call('POST', '/api/operator/accounts/second/ban', { reason: 'left' });
    assert.equal(banned.status, 200, banned.text());
    assert.deepEqual(codeOf(await second.call('GET', '/api/operator/audit')), [403, 'forbidden']);
    await db.updateTable('creators').set({ operator: 0 }).where('handle', '=', 'third').execute();
    assert.deepEqual(codeOf(await third.call('GET', '/api/operator/audit')), [403, 'forbidden']);
  });

  it('name the wrong fields, and a missing reason', async () => {
    for (const operation of operatorOperations.filter(({ body }) => body !== undefined)) {
      for (const body of ['{', [], { nonsense: 1 }]) {
        const path = operation.path.replaceAll(/\{\w+\}/gu, 'something');
        const answer = await operator.call(operation.method, path, body);
        assert.deepEqual(codeOf(answer), [422, 'invalid'], `${operation.id} ${answer.text()}`);
        assert.ok(answer.json().issues.length > 0);
      }
    }
    for (const reason of ['', '   ', 'a\u0007', 'a'.repeat(1_001), 7]) {
      const answer = await operator.call('POST', '/api/operator/spaces/any/hold', { reason });
      assert.deepEqual(codeOf(answer), [422, 'invalid']);
      assert.equal(answer.json().issues[0].path, 'reason');
    }
  });

  it('use cursors of their own and refuse others', async () => {
    for (const operation of operatorOperations.filter(({ method }) => method === 'GET')) {
      if (operation.query === undefined) continue;
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'surprise=1']) {
        const answer = await operator.call('GET', `${operation.path}?${query}`);
        assert.deepEqual(codeOf(answer), [422, 'invalid'], `${operation.id} ${query}`);
      }
      // A cursor of a list by name may be any name.
      if (operation.id === 'readBlocks') continue;
      const answer = await operator.call('GET', `${operation.path}?cursor=bm9uc2Vuc2U`);
      assert.deepEqual(codeOf(answer), [422, 'invalid'], operation.id);
    }
  });

  it('are not cached', async () => {
    const answer = await operator.call('GET', '/api/operator/accounts');
    assert.equal(answer.headers['cache-control'], 'no-store');
  });
});
