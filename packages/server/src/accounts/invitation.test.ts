import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { machineOf } from '../../test/run-admin.ts';
import { startService, type TestService } from '../../test/service.ts';
import { visitor } from '../../test/visitor.ts';
import { adminCommands } from '../commands/admin-commands.ts';

const code = 'heron & sons';
const password = 'a long enough password';

describe('signing up where an invitation code is asked for', () => {
  let service: TestService;
  before(async () => {
    service = await startService({
      environment: { SIGN_UP_CODE: code, SIGN_UPS_PER_HOUR: '5', TRUST_PROXY: 'true' },
    });
  });
  after(() => service.close());

  /** Each caller signs up from a network of their own, unless they name one. */
  let nextNetwork = 1;
  const signUp = (email: string, given?: string, network = `203.0.113.${nextNetwork++}`) => {
    const body = { name: 'Wren', email, password, ...(given !== undefined && { code: given }) };
    return visitor(service).call('POST', '/api/account/sign-up', body, { 'x-forwarded-for': network });
  };

  it('takes the code, and says beside its field that another one is wrong', async () => {
    for (const wrong of [undefined, '', 'Heron & sons', `${code}s`]) {
      const refused = await signUp('wren@example.org', wrong);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], refused.text());
      assert.deepEqual(refused.json().issues, [
        { path: 'code', message: 'is not the invitation code of this service' },
      ]);
      assert.equal(refused.headers['set-cookie'], undefined);
    }
    assert.equal((await signUp('wren@example.org', ` ${code} `)).status, 201);
  });

  it('says nothing about addresses to those without the code', async () => {
    assert.equal((await signUp('known@example.org', code)).status, 201);
    const [known, unknown] = [await signUp('known@example.org'), await signUp('unknown@example.org')];
    assert.deepEqual(known.json(), unknown.json());
  });

  it('limits how many codes are tried', async () => {
    const answers = [];
    for (let time = 0; time < 6; time++)
      answers.push((await signUp('guess@example.org', `guess ${time}`, '198.51.100.1')).status);
    assert.deepEqual(answers, [422, 422, 422, 422, 422, 429]);
    assert.equal((await signUp('guess@example.org', code, '198.51.100.1')).status, 429);
  });

  it('works by a link that has the code, without script too', async () => {
    const person = visitor(service);
    const page = await person.get(`/sign-up?${new URLSearchParams({ code })}`);
    assert.match(page.text(), /<input[^>]* name="code"[^>]* value="heron &amp; sons"/u);
    const fields = { name: 'Ada', email: 'ada@example.org', password };
    const again = await person.post('/sign-up', { ...fields, code: 'magpie' });
    assert.equal(again.status, 422);
    assert.match(again.text(), /Write the code that you were invited with\./u);
    assert.match(again.text(), /name="code"[^>]* value="magpie"/u);
    assert.equal((await person.post('/sign-up', { ...fields, code })).status, 303);
  });

  it('is not needed for accounts that operators make', async () => {
    const command = adminCommands['create-account'] ?? assert.fail();
    const values = { handle: 'invited', email: 'invited@example.org', password };
    assert.equal((await command.run(machineOf(service), values)).handle, 'invited');
  });
});

describe('signing up where everybody may', () => {
  it('asks for no code, and minds none', async () => {
    const service = await startService();
    try {
      const person = visitor(service);
      assert.doesNotMatch((await person.get('/sign-up?code=heron')).text(), /name="code"/u);
      const body = { name: 'Ada', email: 'ada@example.org', password, code: 'heron' };
      assert.equal((await person.call('POST', '/api/account/sign-up', body)).status, 201);
    } finally {
      await service.close();
    }
  });
});
