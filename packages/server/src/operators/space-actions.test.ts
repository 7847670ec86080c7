import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { machineOf } from '../../test/run-admin.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { adminCommands } from '../commands/admin-commands.ts';
import '../../test/one-engine.ts';

describe('operator commands on the machine', () => {
  let pages: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  let nextPath = 0;
  const newPage = (head = '') => pages.put(`/page-${nextPath++}`, head);
  const list = (url: string) => creator.call('POST', '/api/spaces', { ...listing, url });
  async function admin(call: string, values: Record<string, string>, on = service) {
    const command = adminCommands[call] ?? assert.fail(`no call ${call}`);
    return command.run(machineOf(on), values);
  }
  const audited = async (subject: string) =>
    (
      await service.service.platform.database.db
        .selectFrom('audit_log')
        .select(['actor', 'action', 'reason'])
        .where('subject', '=', subject)
        .orderBy('at')
        .execute()
    ).map(({ actor, action, reason }) => [actor, action, reason]);
  const idOf = async (slug: string) =>
    (
      await service.service.platform.database.db
        .selectFrom('spaces')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
    ).id;

  it('take spaces off the service and bring them back, everywhere at once', async () => {
    const { space, version } = await publishLive(service, creator);
    const origin = service.service.platform.urls.live(space.slug);
    const preview = await creator.client.newPreview({ params: { id: version.id } });
    const seen = async () => [
      (await service.get(origin)).status,
      (await service.get(preview.previewUrl)).status,
    ];
    assert.deepEqual(await seen(), [200, 200]);
    for (const [action, state, undo] of [
      ['hold', 'held', 'release'],
      ['hide', 'hidden', 'restore'],
      ['remove', 'removed', 'restore'],
    ] as const) {
      assert.deepEqual(await admin(action, { space: space.slug, reason: `why ${action}` }), {
        slug: space.slug,
        state,
      });
      assert.deepEqual(await seen(), [410, 410], action);
      assert.equal((await creator.call('GET', `/api/spaces/${space.slug}`)).json().state, state);
      await admin(action, { space: space.slug, reason: 'again' });
      assert.deepEqual(await admin(undo, { space: space.slug }), { slug: space.slug, state: 'listed' });
      assert.deepEqual(await seen(), [200, 200], undo);
    }
    assert.deepEqual(await audited(`space:${await idOf(space.slug)}`), [
      ['admin', 'hold', 'why hold'],
      ['admin', 'release', null],
      ['admin', 'hide', 'why hide'],
      ['admin', 'restore', null],
      ['admin', 'remove', 'why remove'],
      ['admin', 'restore', null],
    ]);
  });

  it('log nothing that they did not do', async () => {
    const { slug } = (await list(newPage())).json();
    await assert.rejects(admin('release', { space: slug }), /is listed/u);
    await assert.rejects(admin('hold', { space: 'nowhere' }), /no space/u);
    await assert.rejects(admin('hold', {}), /--space is missing/u);
    assert.deepEqual(await audited(`space:${await idOf(slug)}`), []);
  });

  it('end waiting checks when a space is taken off', async () => {
    const idle = await startService({ role: 'serve' });
    try {
      const who = await idle.creator();
      const { version, space } = await publishFiles(who, smallGame, {}, { live: true });
      const waiting = who.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
      await admin('hide', { space: space.slug }, idle);
      const stopped = await waiting;
      assert.deepEqual([stopped.status, stopped.stopped], ['checking', true]);
      assert.match(stopped.reason ?? '', /hidden/u);
    } finally {
      await idle.close();
    }
  });

  it('block hosts, with ports or without, and addresses, and unblock them', async () => {
    const [open, single] = [newPage(), newPage()];
    for (const host of ['127.0.0.1', pages.address, single, `${single}#x`]) {
      assert.equal((await admin('block', { host, reason: 'spam' })).blocked, true);
      assert.deepEqual(codeOf(await list(single)), [403, 'blocked'], host);
      assert.equal((await admin('block', { host })).blocked, true);
      assert.equal((await admin('unblock', { host })).blocked, false);
    }
    await admin('block', { host: single });
    assert.equal((await list(open)).status, 201);
    await admin('unblock', { host: single });
    assert.equal((await list(single)).status, 201);
    assert.deepEqual(await audited(`host:${pages.address}`), [
      ['admin', 'block', 'spam'],
      ['admin', 'unblock', null],
    ]);
    await assert.rejects(admin('block', { host: '*.example.com' }), /its subdomains are blocked with it/u);
    assert.equal((await admin('block', { host: 'Bücher.Example.COM.' })).host, 'xn--bcher-kva.example.com');
    for (const host of [
      '',
      'a b',
      '*.example.com',
      'example.com/path',
      'ada@example.com',
      'ftp://example.com',
      'https://',
    ])
      await assert.rejects(admin('block', { host }), { message: /must be a host|missing/u }, host);
  });

  it('list pages without an owner, for their owners to claim', async () => {
    const url = newPage(proofTag(creator.handle));
    const fields = { title: 'Found', 'space-type': 'game', devices: 'desktop,mobile' };
    const answer = await admin('list-space', { url, ...fields });
    assert.deepEqual(answer, { slug: 'found', url, service_url: `${service.baseUrl}/s/found` });
    const shown = (await service.anonymous.call('GET', '/api/gallery/found')).json();
    assert.deepEqual([shown.owner, shown.claimed, shown.devices], [null, false, ['desktop', 'mobile']]);
    assert.deepEqual(await audited(`space:${await idOf('found')}`), [['admin', 'list', null]]);
    await assert.rejects(admin('list-space', { url, ...fields }), /already uses/u);
    await assert.rejects(admin('list-space', { ...fields, url: 'http://10.0.0.1/' }), /public web/u);
    await assert.rejects(admin('list-space', { ...fields, url: 'nonsense' }), /not an address/u);
    await assert.rejects(admin('list-space', { ...fields, url: newPage(), devices: 'fridge' }), /devices/u);
    const claimed = await creator.call('POST', '/api/spaces/verify', { url });
    assert.deepEqual([claimed.status, claimed.json().owner], [200, creator.handle]);
  });
});
