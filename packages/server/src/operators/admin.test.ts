import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { announcedMs, askSoon, askUntil } from '../../test/ask-until.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { machineOf, runAdmin } from '../../test/run-admin.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { adminCommands } from '../commands/admin-commands.ts';

const badGame = {
  'index.html': '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">',
};

describe('npm run admin beside a running service', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  before(async () => {
    service = await startService();
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator('maker');
  });
  after(() => service.close());

  const admin = (...words: string[]) => runAdmin(service.environment, words);
  /** Runs the same command in this process: starting one takes seconds on a busy machine. */
  const inProcess = async (name: string, values: Record<string, string | boolean>) =>
    (adminCommands[name] ?? assert.fail(name)).run(machineOf(service), values);
  const live = (slug: string) => service.get(service.service.platform.urls.live(slug));

  it('takes a space off and brings it back, and the service notices it', async () => {
    const { space } = await publishLive(service, creator);
    const { slug } = space;
    assert.equal((await live(slug)).status, 200);
    const held = await admin('hold', '--space', slug, '--reason', 'seen');
    assert.deepEqual([held.code, held.json], [0, { slug, state: 'held' }], held.errors);
    await askSoon(async () => (await live(slug)).status, 410);
    assert.deepEqual((await admin('release', '--space', slug)).json, { slug, state: 'listed' });
    await askSoon(async () => (await live(slug)).status, 200);
    for (const [action, state] of [
      ['hide', 'hidden'],
      ['remove', 'removed'],
    ] as const) {
      assert.deepEqual(await inProcess(action, { space: slug, reason: 'seen' }), { slug, state });
      assert.equal((await live(slug)).status, 410);
      assert.deepEqual(await inProcess('restore', { space: slug }), { slug, state: 'listed' });
      assert.equal((await live(slug)).status, 200);
    }
    const { entries } = (await operator.call('GET', '/api/operator/audit')).json();
    assert.equal(entries.length, 6);
    assert.ok(entries.every(({ actor }: { actor: string }) => actor === 'admin'));
    const missing = await admin('hold', '--space', 'nowhere');
    assert.deepEqual([missing.code, missing.json], [1, null]);
    assert.match(missing.errors, /no space/u);
  });

  it('shows the queue of reviews and decides them', async () => {
    const refused = async () => {
      const { version, space } = await publishLive(service, creator, badGame);
      await creator.call('POST', `/api/v1/hosting/versions/${version.id}/review`);
      return { id: version.id, slug: space.slug };
    };
    const [first, second] = [await refused(), await refused()];
    const { reviews } = (await admin('reviews')).json;
    assert.deepEqual(
      reviews.map(({ id }: { id: string }) => id),
      [first.id, second.id],
    );
    assert.equal((await live(first.slug)).status, 404);
    const approved = await admin('review', '--version', first.id, '--approve');
    assert.deepEqual(approved.json, { version: first.id, outcome: 'live', status: 'live' }, approved.errors);
    await askSoon(async () => (await live(first.slug)).status, 200);
    const declined = await admin('review', '--version', second.id, '--decline', '--reason', 'It leads away.');
    assert.deepEqual(declined.json, { version: second.id, outcome: 'declined', status: 'refused' });
    const read = await creator.client.readVersion({ params: { id: second.id } });
    assert.equal(read.reason, 'It leads away.');
    await assert.rejects(inProcess('review', { version: second.id, approve: true }), /decided already/u);
    await assert.rejects(inProcess('review', { version: second.id }), /one of/u);
    await assert.rejects(inProcess('review', { version: 'v', approve: true, decline: true }), /one of/u);
    await assert.rejects(inProcess('review', { version: 'v', decline: true }), /--reason is missing/u);
    await assert.rejects(inProcess('review', { approve: true }), /--version is missing/u);
    await assert.rejects(inProcess('review', { version: 'ver_nothing', approve: true }), /no version/u);
    assert.deepEqual(await inProcess('reviews', {}), { reviews: [] });
  });

  it('bans an account and lifts the ban, and the service notices it', async () => {
    const create = async () =>
      (
        await creator.call('POST', '/api/v1/hosting/versions', {
          dryRun: true,
          fields: { title: 'Dry', space_type: 'game', devices: ['desktop'] },
          files: [{ path: 'index.html', size: 1, sha256: 'a'.repeat(64) }],
        })
      ).status;
    assert.equal(await create(), 200);
    const banned = await admin('ban', '--handle', 'maker', '--reason', 'spam');
    assert.deepEqual(banned.json, { handle: 'maker', banned: true }, banned.errors);
    await askSoon(create, 403);
    assert.deepEqual((await admin('unban', '--handle', '@maker')).json, { handle: 'maker', banned: false });
    await askSoon(create, 200);
    await assert.rejects(inProcess('ban', { handle: 'nobody' }), /no account/u);
  });

  it('wakes requests that wait for a check when it ends the check', async () => {
    const idle = await startService({ role: 'serve' });
    try {
      const who = await idle.creator();
      const { version, space } = await publishFiles(who, smallGame, {}, { live: true });
      // A request waits for half a minute. On a busy machine the command may take longer, so it is asked again.
      const waiting = askUntil(
        () => who.client.readVersion({ params: { id: version.id }, query: { wait: 30 } }),
        ({ stopped }) => stopped === true,
      );
      const hold = await runAdmin(idle.environment, ['hold', '--space', space.slug]);
      assert.equal(hold.code, 0, hold.errors);
      const asked = performance.now();
      const stopped = await waiting;
      assert.equal(stopped.status, 'checking');
      assert.ok(performance.now() - asked < announcedMs);
    } finally {
      await idle.close();
    }
  });
});
