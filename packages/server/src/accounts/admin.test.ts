import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { machineOf, runAdmin } from '../../test/run-admin.ts';
import { startService, type TestService } from '../../test/service.ts';
import { visitor } from '../../test/visitor.ts';
import { adminCommands } from '../commands/admin-commands.ts';

describe('accounts managed by the admin command beside a running service', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const admin = (...words: string[]) => runAdmin(service.environment, words);
  /** Runs a command without a process of its own. */
  const call = (name: string, values: Record<string, string | boolean>) =>
    (adminCommands[name] ?? assert.fail(name)).run(machineOf(service), values);
  const create = (handle: string, email: string) =>
    admin('create-account', '--handle', handle, '--email', email, '--password', 'a long password');
  const me = (token: string) =>
    service.anonymous.call('GET', '/api/agent/me', undefined, { authorization: `Bearer ${token}` });

  it('are made with a password that signs in', async () => {
    assert.deepEqual((await create('Ada', 'Ada@example.org')).json, { handle: 'ada' });
    const form = { email: 'ada@example.org', password: 'a long password' };
    assert.equal((await visitor(service).post('/sign-in', form)).status, 303);
  });

  it('are refused with one clear sentence when the input is wrong', async () => {
    for (const [handle, email, text] of [
      ['ADA', 'other@example.org', /The handle is taken\./u],
      ['other', 'ada@example.org', /The email has an account already\./u],
      ['9lives', 'other@example.org', /The handle must be 3 to 24/u],
      ['other', 'nowhere', /The email is not an e-mail address\./u],
    ] as const) {
      const { code, errors } = await create(handle, email);
      assert.equal(code, 1);
      assert.match(errors, text);
      assert.doesNotMatch(errors, /\n\s+at /u);
    }
  });

  it('get tokens, which are listed and revoked while the service runs', async () => {
    const { json } = await admin('create-token', '--handle', 'ada');
    assert.equal((await me(json.token)).status, 200);
    const { tokens } = (await admin('list-tokens', '--handle', '@ada')).json;
    assert.equal(tokens.length, 1);
    assert.deepEqual(tokens[0].scopes, ['publish', 'boards', 'moderate']);
    assert.equal(tokens[0].client_name, 'admin');
    const { id } = tokens[0];
    // The announcement ends the token, however late it comes. Without one, the token would work
    // until it left the cache.
    let told = Promise.withResolvers<void>();
    const { announcements } = service.service.platform.database;
    const stopListening = announcements.listen('creator', () => told.resolve());
    assert.deepEqual((await admin('revoke-token', '--handle', 'ada', '--id', id)).json, { revoked: id });
    let status: number;
    do {
      await told.promise;
      told = Promise.withResolvers();
      ({ status } = await me(json.token));
    } while (status === 200);
    stopListening();
    assert.equal(status, 401);
    assert.match((await admin('revoke-token', '--handle', 'ada', '--id', id)).errors, /no such token/u);
    assert.match((await admin('create-token', '--handle', 'nobody')).errors, /no account @nobody/u);
    assert.match((await admin('create-token', '--handle', '@Nobody')).errors, /no account @nobody\b/u);
  });

  it('get tokens with the given scopes, limited to one space when one is given', async () => {
    await service.creator('eve');
    const usual = await call('create-token', { handle: 'eve' });
    assert.deepEqual([usual.scopes, usual.space], [['publish', 'boards', 'moderate'], null]);
    const named = await call('create-token', { handle: 'eve', scopes: 'moderate, publish' });
    assert.deepEqual((await me(String(named.token))).json().token.scopes, ['publish', 'moderate']);
    await assert.rejects(
      call('create-token', { handle: 'eve', scopes: 'all' }),
      /--scopes takes publish, boards/u,
    );
    await assert.rejects(call('create-token', { handle: 'eve', scopes: 'operate' }), /Only an operator/u);
    await assert.rejects(call('create-token', { handle: 'eve', space: 'nowhere' }), /no space «nowhere»/u);
  });

  it('become operators and lose that right, and the log records both', async () => {
    assert.deepEqual(await call('grant-operator', { handle: '@Eve' }), { handle: 'eve', operator: true });
    const { token } = await call('create-token', { handle: 'eve', scopes: 'operate' });
    const audit = () =>
      service.anonymous.call('GET', '/api/operator/audit', undefined, { authorization: `Bearer ${token}` });
    assert.equal((await audit()).status, 200);
    await assert.rejects(
      call('revoke-operator', { handle: 'eve' }),
      /@eve is the only operator of this service\. Make another account .*--last/u,
    );
    assert.equal((await audit()).status, 200);
    assert.deepEqual(await call('revoke-operator', { handle: 'eve', reason: 'left', last: true }), {
      handle: 'eve',
      operator: false,
    });
    assert.deepEqual(
      await call('revoke-operator', { handle: 'eve' }),
      { handle: 'eve', operator: false },
      'there is nothing to refuse any more',
    );
    assert.equal((await audit()).status, 403);
    await assert.rejects(call('grant-operator', { handle: 'nobody' }), /no account @nobody/u);
    const ops = await service.creator('ops', { operator: true });
    await service.creator('second', { operator: true });
    await call('revoke-operator', { handle: 'second' });
    const { entries } = (await ops.call('GET', '/api/operator/audit')).json();
    assert.deepEqual(
      entries.map(({ action, subject, reason }: Record<string, { name?: string }>) => [
        action,
        subject?.name,
        reason,
      ]),
      [
        ['revoke-operator', 'second', null],
        ['revoke-operator', 'eve', 'left'],
        ['grant-operator', 'eve', null],
      ],
    );
  });
});
