import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { claimHeader } from '@spaceport/contract/versions';
import { hostingCodeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishLive, putFile, smallGame } from '../../test/files.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { issueSecret } from '../platform/secrets/secret.ts';
import { sweepCreateKeys } from './create-keys.ts';

const path = '/api/v1/hosting/versions';
const files = fileEntries(smallGame);
type Caller = Pick<Persona, 'call'>;

describe('a create with an Idempotency-Key', () => {
  let service: TestService;
  let ada: Persona;
  let nobody: Caller;
  before(async () => {
    service = await startService({
      environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '1000', PUBLISHES_PER_HOUR: '1000' },
    });
    ada = await service.creator();
    nobody = service.anonymous;
  });
  after(() => service.close());

  let count = 0;
  /** The body of a create that is like no other. */
  const newBody = () => ({ fields: { ...listing, title: `Game ${++count}` }, files });
  const create = (who: Caller, body: unknown, key: string) =>
    who.call('POST', path, body, { 'idempotency-key': key });
  const isReplayed = ({ headers }: RawAnswer) => headers['idempotent-replayed'] === 'true';
  const made = (answer: RawAnswer) => {
    assert.equal(answer.status, 201, answer.text());
    const { version, space, claimToken, claimUrl, pageUrl, expiresAt } = answer.json();
    return { version, space, claimToken, claimUrl, pageUrl, expiresAt };
  };
  const counted = async () => {
    const { db } = service.service.platform.database;
    const counts = [];
    for (const table of [
      'spaces',
      'slugs',
      'versions',
      'unlisted_pages',
      'rate_hits',
      'create_keys',
    ] as const)
      counts.push((await db.selectFrom(table).selectAll().execute()).length);
    return counts;
  };
  const finish = async (who: Caller, answer: RawAnswer, body: Record<string, unknown>) => {
    const { version, uploads } = answer.json();
    for (const { url, sha256 } of uploads) {
      const name = files.find((file) => file.sha256 === sha256)?.path ?? '';
      assert.equal((await putFile(service, url, smallGame[name] ?? '')).status, 200);
    }
    return who.call('POST', `${path}/${version.id}/finish`, body);
  };

  it('makes one space, and each repeat returns it', async () => {
    const [body, key] = [newBody(), randomUUID()];
    const first = await create(ada, body, key);
    assert.equal(isReplayed(first), false);
    const after = await counted();
    const again = await create(ada, body, key);
    assert.equal(isReplayed(again), true);
    assert.deepEqual(made(again), made(first));
    assert.deepEqual(again.json().limits, first.json().limits);
    assert.deepEqual(await counted(), after);
    assert.deepEqual(hostingCodeOf(await create(ada, newBody(), key)), [409, 'conflict']);
    assert.notDeepEqual(made(await create(ada, body, randomUUID())).space, made(first).space);
  });

  it('makes one version of a space that is there', async () => {
    const { space } = await publishLive(service, ada, smallGame, { fields: newBody().fields as never });
    const [body, key] = [{ space: space.slug, files }, randomUUID()];
    const versions = [made(await create(ada, body, key)).version, made(await create(ada, body, key)).version];
    assert.deepEqual(versions[0], versions[1]);
    assert.equal(versions[0].number, 2);
  });

  it('gives links that can be used, and none for what has come meanwhile', async () => {
    const fresh = { 'index.html': `<title>${randomUUID()}</title>`, 'a.js': `"${randomUUID()}"` };
    const [body, key] = [{ ...newBody(), files: fileEntries(fresh) }, randomUUID()];
    const first = await create(ada, body, key);
    const [upload] = first.json().uploads;
    const name = body.files.find(({ sha256 }) => sha256 === upload.sha256)?.path as keyof typeof fresh;
    assert.equal((await putFile(service, upload.url, fresh[name])).status, 200);
    service.clock.advance({ hours: 3 });
    const { uploads, version } = (await create(ada, body, key)).json();
    assert.equal(uploads.length, 1);
    const other = name === 'a.js' ? 'index.html' : 'a.js';
    assert.equal((await putFile(service, uploads[0].url, fresh[other])).status, 200);
    // The version lasts as long as its links, and a day.
    service.clock.advance({ hours: 20 });
    assert.equal(made(await create(ada, body, key)).version.id, version.id);
    assert.equal((await ada.call('POST', `${path}/${version.id}/finish`)).status, 200);
    assert.deepEqual((await create(ada, body, key)).json().uploads, []);
  });

  it('holds when the same create arrives many times at once', async () => {
    for (const who of [ada, nobody]) {
      const [body, key, before] = [newBody(), randomUUID(), await counted()];
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => create(who, index === 5 ? newBody() : body, key)),
      );
      const taken = answers.filter(({ status }) => status === 201);
      assert.equal(taken.filter((answer) => !isReplayed(answer)).length, 1);
      assert.equal(new Set(taken.map((answer) => JSON.stringify(made(answer)))).size, 1);
      for (const answer of answers)
        if (answer.status !== 201) assert.deepEqual(hostingCodeOf(answer), [409, 'conflict']);
      const after = await counted();
      assert.deepEqual([after[0], after[2]], [(before[0] ?? 0) + 1, (before[2] ?? 0) + 1]);
    }
  });

  it('belongs to its publisher', async () => {
    const [body, key, bob] = [newBody(), randomUUID(), await service.creator()];
    const own = await Promise.all([ada, bob, nobody].map((who) => create(who, body, key)));
    for (const answer of own) assert.equal(isReplayed(answer), false);
    assert.equal(new Set(own.map((answer) => made(answer).space.slug)).size, 3);
    const { claimToken } = made(own[2] as RawAnswer);
    const holder = { ...body, claim: claimToken };
    const next = await create(nobody, holder, key);
    assert.deepEqual([isReplayed(next), made(next).version.number], [false, 2]);
    assert.deepEqual(made(await create(nobody, holder, key)), made(next));
    assert.equal(made(next).claimToken, undefined);
  });

  it('gives the claim token again to who has no account, and stores neither it nor the key', async () => {
    const [body, key] = [newBody(), randomUUID()];
    await create(nobody, body, key);
    const again = await create(nobody, body, key);
    assert.equal(isReplayed(again), true);
    const { claimToken, pageUrl, expiresAt } = made(again);
    const opened = await nobody.call('GET', '/api/v1/hosting/claim', undefined, {
      [claimHeader]: claimToken,
    });
    assert.deepEqual(opened.json(), { pageUrl, expiresAt });
    assert.equal((await finish(nobody, again, { claim: claimToken })).status, 200);
    assert.deepEqual(made(await create(nobody, body, key)), made(again));
    const { db } = service.service.platform.database;
    for (const { name } of await db.introspection.getTables()) {
      const stored = JSON.stringify(
        await db
          .selectFrom(name as 'create_keys')
          .selectAll()
          .execute(),
      );
      assert.ok(!stored.includes(key) && !stored.includes(claimToken), name);
    }
  });

  it('has to be a long one without an account', async () => {
    for (const key of ['1', 'x'.repeat(31)]) {
      const refused = await create(nobody, newBody(), key);
      assert.deepEqual(hostingCodeOf(refused), [422, 'invalid_request']);
      assert.equal(refused.json().issues[0].path, 'idempotency-key');
      assert.equal((await create(ada, newBody(), `${key} ${randomUUID()}`)).status, 201);
    }
    assert.equal((await create(ada, newBody(), '1')).status, 201);
    for (const who of [ada, nobody])
      assert.deepEqual(hostingCodeOf(await create(who, newBody(), 'x'.repeat(129))), [
        422,
        'invalid_request',
      ]);
  });

  it('does not open a page that an account has taken over', async () => {
    const [body, key] = [newBody(), randomUUID()];
    const { claimToken: claim } = made(await create(nobody, body, key));
    const both = { files, claim };
    const taken = made(await create(ada, both, key));
    assert.deepEqual(made(await create(ada, both, key)), taken);
    assert.deepEqual(hostingCodeOf(await create(nobody, body, key)), [409, 'claim_spent']);
  });

  it('can be used again after a create that was refused, and ignored by a dry run', async () => {
    const [body, key] = [newBody(), randomUUID()];
    const refused = await create(ada, { ...body, fields: {} }, key);
    assert.deepEqual(hostingCodeOf(refused), [422, 'missing_fields']);
    const tried = await create(ada, { ...body, dryRun: true }, key);
    assert.equal(tried.status, 200, tried.text());
    assert.equal(isReplayed(await create(ada, body, key)), false);
    assert.equal(isReplayed(await create(ada, { ...body, dryRun: true }, key)), false);
  });

  it('makes anew what was deleted meanwhile', async () => {
    const [body, key] = [newBody(), randomUUID()];
    const first = made(await create(ada, body, key));
    assert.equal((await ada.call('DELETE', `${path}/${first.version.id}`)).status, 200);
    const second = await create(ada, body, key);
    assert.equal(isReplayed(second), false);
    assert.notEqual(made(second).version.id, first.version.id);
    const { slug } = made(second).space;
    assert.equal((await ada.call('DELETE', `/api/spaces/${slug}`)).status, 200);
    const third = await create(ada, body, key);
    assert.equal(isReplayed(third), false);
    assert.notEqual(made(third).space.slug, slug);
    assert.deepEqual(made(await create(ada, body, key)), made(third));
  });

  it('does not open what its publisher may no longer publish', async () => {
    const [body, key, bob] = [newBody(), randomUUID(), await service.creator()];
    assert.equal((await create(bob, body, key)).status, 201);
    const operator = await service.creator(undefined, { operator: true });
    const banned = await operator.call('POST', `/api/operator/accounts/${bob.handle}/ban`, {
      reason: 'To see what happens.',
    });
    assert.equal(banned.status, 200, banned.text());
    assert.deepEqual(hostingCodeOf(await create(bob, body, key)), [403, 'forbidden']);
    assert.equal((await nobody.call('POST', path, { ...body, claim: issueSecret('claim') })).status, 404);
  });

  it('is remembered for a day', async () => {
    const [body, key] = [newBody(), randomUUID()];
    const first = made(await create(ada, body, key));
    const page = made(await create(nobody, body, key));
    service.clock.advance({ hours: 23, minutes: 59 });
    assert.equal(isReplayed(await create(ada, body, key)), true);
    service.clock.advance({ minutes: 2 });
    const other = await create(ada, newBody(), key);
    assert.equal(isReplayed(other), false);
    assert.notDeepEqual(made(other).space, first.space);
    const another = made(await create(nobody, body, key));
    assert.notEqual(another.claimToken, page.claimToken);
    service.clock.advance({ hours: 25 });
    const { database, clock } = service.service.platform;
    await sweepCreateKeys(database, clock.now());
    assert.deepEqual(await database.db.selectFrom('create_keys').select('key_hash').execute(), []);
  });
});
