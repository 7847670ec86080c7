import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { givenId } from '../platform/db/ids.ts';

describe('the audit log', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { AUDIT_DAYS: '30' } });
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator('maker');
  });
  after(() => service.close());

  const read = async (query = '') => (await operator.call('GET', `/api/operator/audit${query}`)).json();
  const post = (path: string, body: object) => operator.call('POST', `/api/operator/${path}`, body);

  it('says who did what, when and why, with the names of the targets', async () => {
    const { space } = await publishLive(service, creator);
    const bad = { 'index.html': '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">' };
    const { version } = await publishLive(service, creator, bad, { space: space.slug });
    await creator.call('POST', `/api/v1/hosting/versions/${version.id}/review`);
    const before = Date.now();
    const steps = [
      ['spaces', { path: `spaces/${space.slug}/hold`, body: { reason: 'one' } }],
      ['spaces', { path: `spaces/${space.slug}/release`, body: { reason: 'two\nlines' } }],
      ['reviews', { path: `reviews/${version.id}`, body: { decision: 'decline', reason: 'three' } }],
      ['accounts', { path: 'accounts/maker/ban', body: { reason: 'four' } }],
    ] as const;
    for (const [, { path, body }] of steps) {
      service.clock.advance({ seconds: 1 });
      const answer = await post(path, body);
      assert.equal(answer.status, 200, answer.text());
    }
    const { entries, next } = await read();
    assert.equal(next, null);
    assert.ok(Date.parse(entries[0].at) >= before);
    assert.deepEqual(
      entries.map(({ actor, action, subject, reason }: Record<string, unknown> & { subject: Subject }) => [
        actor,
        action,
        subject.kind,
        subject.name,
        reason,
      ]),
      [
        ['ops', 'ban', 'account', 'maker', 'four'],
        ['ops', 'decline', 'version', `${space.slug}#2`, 'three'],
        ['ops', 'release', 'space', space.slug, 'two\nlines'],
        ['ops', 'hold', 'space', space.slug, 'one'],
      ],
    );
  });

  it('is paged, also where entries have the same time', async () => {
    const { db } = service.service.platform.database;
    const at = service.clock.now() + 60_000;
    const ids = Array.from({ length: 7 }, (_, index) => `aud_${String(index).padStart(16, '0')}`);
    for (const id of ids) {
      const row = {
        id,
        at,
        actor: 'admin' as const,
        action: 'block',
        subject: 'host:many.example',
        reason: null,
      };
      await db.insertInto('audit_log').values(row).execute();
    }
    const found: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 4; pages++) {
      const { entries, next } = await read(`?limit=2${cursor}`);
      found.push(...entries.map(({ id }: { id: string }) => id));
      cursor = `&cursor=${next}`;
    }
    assert.deepEqual(found.slice(0, 7), ids.reverse());
    const [entry] = (await read('?limit=1')).entries;
    assert.deepEqual([entry.actor, entry.subject.name], ['admin', 'many.example']);
  });

  it('keeps entries about things that were deleted', async () => {
    const { db } = service.service.platform.database;
    const at = service.clock.now() + 120_000;
    const row = {
      id: 'aud_zzzzzzzzzzzzzzzz',
      at,
      actor: givenId('usr', 'usr_gone'),
      action: 'hold',
      reason: 'r',
    };
    await db
      .insertInto('audit_log')
      .values({ ...row, subject: 'space:spc_gone' })
      .execute();
    const [entry] = (await read('?limit=1')).entries;
    assert.deepEqual(
      [entry.actor, entry.subject],
      ['usr_gone', { kind: 'space', id: 'spc_gone', name: null }],
    );
  });

  it('has only a number for an operator without a handle, so the page asks for one', async () => {
    const handle = 'new_keeper';
    const keeper = await signUp(service);
    await service.service.platform.database.db
      .updateTable('creators')
      .set({ operator: 1 })
      .where('email', '=', keeper.email)
      .execute();
    const reason = 'done without a name';
    const acted = await keeper.call('POST', '/api/operator/blocks', { host: 'bad.example', reason });
    assert.equal(acted.status, 200, acted.text());
    const actor = async () =>
      (await read()).entries.find((entry: { reason: string | null }) => entry.reason === reason).actor;
    assert.match(await actor(), /^usr_/u);
    assert.ok((await keeper.get('/operator')).text().includes('href="/handle?next=%2Foperator"'));
    assert.equal((await keeper.post('/handle', { handle })).status, 303);
    assert.equal(await actor(), handle);
    assert.ok(!(await keeper.get('/operator')).text().includes('/handle?'));
  });

  it('keeps entries for as long as the settings say', async () => {
    service.clock.advance({ days: 29 });
    await service.service.sweep();
    assert.notDeepEqual((await read()).entries, []);
    service.clock.advance({ days: 2 });
    await service.service.sweep();
    assert.deepEqual((await read()).entries, []);
  });
});

interface Subject {
  readonly kind: string;
  readonly name: string | null;
}
