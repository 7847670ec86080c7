import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import type { ErrorCode } from '@spaceport/contract/errors';
import { commonErrors, type Operation, statusOf } from '@spaceport/contract/operation';
import { accountHeader } from '@spaceport/contract/player';
import { type Scope, scopes } from '@spaceport/contract/scopes';
import { sql } from 'kysely';
import { publishFiles, smallGame } from '../../../test/files.ts';
import { someoneWaits, withoutLockWaits } from '../../../test/lock-waits.ts';
import { type Outage, startWithOutage } from '../../../test/outage.ts';
import type { RawAnswer } from '../../../test/raw-http.ts';
import { startService, type TestService } from '../../../test/service.ts';
import {
  type Change,
  closedAddress,
  cookieOf,
  type Everyman,
  everyman,
  everyOperation,
} from '../../../test/valid-requests.ts';
import { createTokens } from '../../accounts/tokens.ts';

/** The operations by id, each with the status and the code that it answered. */
type Table = Record<string, [number, ErrorCode]>;

const codeIn = ({ edge }: Operation, answer: RawAnswer) => {
  const body = answer.json();
  return edge === 'hosting' ? body.code : body.error;
};
const has = (operation: Operation, ...codes: ErrorCode[]) =>
  commonErrors(operation).some((code) => codes.includes(code));

/** Calls the operations in turn, and compares their responses with the code that each should give. */
async function expectAll(
  those: readonly Operation[],
  codeFor: (operation: Operation) => ErrorCode,
  ask: (operation: Operation) => Promise<RawAnswer>,
): Promise<void> {
  assert.ok(those.length > 0);
  const found: Table = {};
  const expected: Table = {};
  for (const operation of those) {
    const answer = await ask(operation);
    found[operation.id] = [answer.status, codeIn(operation, answer)];
    const code = codeFor(operation);
    expected[operation.id] = [statusOf(operation, code), code];
  }
  assert.deepEqual(found, expected);
}

const spelled = (plain: ErrorCode, hosting: ErrorCode) => (operation: Operation) =>
  operation.edge === 'hosting' ? hosting : plain;

describe('a refused request', () => {
  let service: TestService;
  let everyone: Everyman;
  before(async () => {
    service = await startService({ role: 'serve' });
    everyone = await everyman(service);
  });
  after(() => service.close());

  const asking = (change: Change) => (operation: Operation) => everyone.ask(operation, change);
  const withBody = everyOperation.filter(({ method }) => method !== 'GET');

  it('has no credential where one is needed', async () => {
    const those = everyOperation.filter((operation) => has(operation, 'unauthorized'));
    const isOpen = ({ credential }: Operation) => credential === 'token_or_none' || credential === 'player';
    const open = those.filter(isOpen);
    const closed = those.filter((operation) => !isOpen(operation));
    await expectAll(closed, () => 'unauthorized', asking({ credential: null }));
    const wrong = { authorization: 'Bearer sp_token_wrong', 'sec-fetch-site': 'same-origin' };
    await expectAll(open, () => 'unauthorized', asking({ credential: wrong }));
  });

  it('comes from an account that is no operator', async () => {
    const { token } = await service.creator();
    const those = everyOperation.filter(({ credential }) => credential === 'operator');
    await expectAll(those, () => 'forbidden', asking({ credential: { authorization: `Bearer ${token}` } }));
  });

  it('comes with a token that lacks the scope', async () => {
    const tokens = createTokens(service.service.platform);
    const { creator } = await tokens.resolve(everyone.creator.token);
    const without = new Map<Scope, string>();
    for (const lacking of scopes) {
      const others = scopes.filter((scope) => scope !== lacking);
      without.set(lacking, (await tokens.issue(creator.id, { name: null, scopes: others })).token);
    }
    tokens.close();
    const those = everyOperation.filter(({ scope }) => scope !== undefined);
    const bearer = ({ scope }: Operation) => ({ authorization: `Bearer ${scope && without.get(scope)}` });
    await expectAll(
      those,
      () => 'forbidden',
      async (operation) => {
        const answer = await everyone.ask(operation, { credential: bearer(operation) });
        assert.equal(answer.json().scope, operation.scope, answer.text());
        assert.ok(answer.text().includes(`«${operation.scope}»`), answer.text());
        return answer;
      },
    );
  });

  it('was sent by another site’s page with a user’s session', async () => {
    const crossSite = spelled('forbidden', 'cross_site');
    const those = everyOperation.filter(
      (operation) =>
        operation.method !== 'GET' && operation.credential !== 'none' && has(operation, crossSite(operation)),
    );
    await expectAll(those, crossSite, (operation) =>
      everyone.ask(operation, {
        credential: { ...cookieOf(everyone.visitor), 'sec-fetch-site': 'cross-site' },
      }),
    );
  });

  it('names a player’s account that is not signed in', async () => {
    const those = everyOperation.filter((operation) => has(operation, 'session_over'));
    const visitor = { ...cookieOf(everyone.visitor), 'sec-fetch-site': 'same-origin' };
    const credential = { ...visitor, [accountHeader]: 'another-account' };
    await expectAll(those, () => 'session_over', asking({ credential }));
  });

  it('has an invalid path, query or body', async () => {
    const invalid = spelled('invalid', 'invalid_request');
    const changes: [Change, (operation: Operation) => boolean][] = [
      [{ part: '%00' }, ({ params }) => params !== undefined],
      [{ query: 'cursor=%00' }, ({ query }) => query !== undefined],
      // For operations that take streams, the body would be an invalid archive instead of invalid JSON.
      [{ body: '{' }, ({ method, streams }) => method !== 'GET' && !streams],
    ];
    for (const [change, isFor] of changes) {
      await expectAll(everyOperation.filter(isFor), invalid, asking(change));
    }
    const none = everyOperation.filter((operation) => !has(operation, 'invalid', 'invalid_request'));
    for (const operation of none) {
      const { status } = await everyone.ask(operation, { query: 'cursor=%00' });
      assert.notEqual(status, 422, operation.id);
    }
  });

  it('has a body with a declared length over the limit', async () => {
    const headers = { 'content-length': String(2 * 1024 ** 3) };
    await expectAll(withBody, () => 'too_large', asking({ body: null, headers }));
  });
});

describe('a database', () => {
  const failed = spelled('failed', 'hosting_unavailable');
  const environment = { FETCH_ALLOW: closedAddress, CUSTOM_DOMAINS: 'on' };

  it('that is unavailable is reported so by every operation', async () => {
    const outage: Outage = await startWithOutage({ environment });
    try {
      const everyone = await everyman(outage.service);
      await outage.begin();
      // All at once: operations that wait for a locked file wait at the same time.
      const answers = await Promise.all(
        everyOperation.map(async (operation) => ({ operation, answer: await everyone.ask(operation) })),
      );
      const wrong = answers.filter(({ operation, answer }) => {
        if (answer.status !== 503) return !(outage.readsGoOn && answer.status < 500);
        return (
          codeIn(operation, answer) !== failed(operation) || !(Number(answer.headers['retry-after']) > 0)
        );
      });
      assert.deepEqual(
        wrong.map(({ operation, answer }) => [operation.id, answer.status, answer.text()]),
        [],
      );
      await outage.end();
      const [first] = everyOperation;
      assert.ok(first);
      assert.equal((await everyone.ask(first)).status, 200);
    } finally {
      await outage.close();
    }
  });

  it('that ends a statement which waits for others is unavailable', { skip: withoutLockWaits }, async () => {
    const service = await startService({ role: 'serve' });
    try {
      const creator = await service.creator();
      const { space } = await publishFiles(creator, smallGame);
      const path = `/api/spaces/${space.slug}/boards`;
      const { db } = service.service.platform.database;
      const ended = await db.transaction().execute(async (holder) => {
        await sql`select 1 from spaces where slug = ${space.slug} for update`.execute(holder);
        const asked = creator.call('PUT', path, { boards: [{ key: 'points' }] });
        await someoneWaits(db);
        // It ends the statement as the time limit of statements does, with the same code.
        await sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return asked;
      });
      assert.equal(ended.status, 503, ended.text());
      assert.equal(ended.json().error, 'failed');
      assert.ok(Number(ended.headers['retry-after']) > 0);
      assert.equal((await creator.call('PUT', path, { boards: [{ key: 'points' }] })).status, 200);
    } finally {
      await service.close();
    }
  });

  it('whose tables lack their columns is a server error, which reveals nothing internal', async () => {
    const service = await startService({ role: 'serve', environment });
    const { database, together } = service.service.platform;
    const { db, announcements } = database;
    // SQLite stores a full-text table in other tables, whose names begin with its name.
    const names = (await db.introspection.getTables())
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('search_tokens_'));
    const rename = async (from: string, to: string) => {
      for (const name of names)
        await sql`alter table ${sql.table(name + from)} rename to ${sql.table(name + to)}`.execute(db);
    };
    try {
      const everyone = await everyman(service);
      await rename('', '_kept');
      for (const name of names) await sql`create table ${sql.table(name)} (unknown integer)`.execute(db);
      // The examination asks whether the database answers, and reads no table. Here it fails because it
      // cannot learn of browsers.
      mock.method(together, 'browser', () => Promise.reject(new Error('select from a table')));
      // Drops what is cached about the version.
      announcements.deliver([`version:${everyone.versionId}`]);
      await expectAll(
        everyOperation,
        () => 'server_error',
        async (operation) => {
          const answer = await everyone.ask(operation);
          assert.doesNotMatch(answer.text(), /table|relation|sql|select|at .+:\d/iu, operation.id);
          return answer;
        },
      );
    } finally {
      for (const name of names) await sql`drop table if exists ${sql.table(name)}`.execute(db);
      await rename('_kept', '');
      await service.close();
    }
  });
});
