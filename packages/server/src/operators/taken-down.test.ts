import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { publishFiles, publishLive, sha256 } from '../../test/files.ts';
import { machineOf } from '../../test/run-admin.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { emptyCreator } from '../accounts/close-account.queries.ts';
import { takeDownCommands } from '../commands/admin-take-down.ts';
import { givenId } from '../platform/db/ids.ts';
import { findPlayer } from '../players/players.ts';
import { takeDownJob } from '../versions/job-kinds.ts';

const page = '<!doctype html><title>Moon Hopper</title><img src="moon.svg">';
const moon = '<svg xmlns="http://www.w3.org/2000/svg"><!-- not ours to show --></svg>';
const withMoon = { 'index.html': page, 'art/moon.svg': moon };

describe('a file that is taken down', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  before(async () => {
    service = await startService();
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator('hopper');
  });
  after(() => service.close());

  const reason = 'A court has forbidden it: case 7.';
  const change = (method: 'POST' | 'DELETE') =>
    operator.call(method, '/api/operator/files', { sha256: sha256(moon), reason });
  const statusAt = async (url: string) => (await service.get(url)).status;
  async function mails(): Promise<string[]> {
    const folder = join(service.environment.DATA_DIR ?? '', 'mail');
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
  }

  it('is served nowhere, its creators are told, and it is back unchanged when it is restored', async () => {
    const other = await service.creator('painter');
    const one = await publishLive(service, creator, withMoon);
    const two = await publishLive(service, other, { 'index.html': '<title>Two</title>', 'm.svg': moon });
    const clean = await publishLive(service, creator, { 'index.html': '<title>Clean</title>' });
    const preview = await publishFiles(creator, withMoon, { space: one.space.slug });
    await service.settle();
    const { urls } = service.service.platform;
    const shown = [urls.live(one.space.slug), `${urls.live(two.space.slug)}m.svg`, preview.previewUrl ?? ''];
    for (const url of shown) assert.equal(await statusAt(url), 200, url);
    // The ETag shows the file's hash.
    assert.match(
      (await service.get(`${urls.live(two.space.slug)}m.svg`)).headers.etag ?? '',
      /[0-9a-f]{64}/u,
    );

    assert.deepEqual((await change('POST')).json(), { sha256: sha256(moon), taken_down: true });
    for (const url of shown) assert.equal(await statusAt(url), 410, url);
    assert.equal(await statusAt(urls.live(clean.space.slug)), 200);
    const closed = await service.get(urls.page(one.space.slug));
    assert.equal(closed.status, 410);
    assert.match(closed.text(), /have taken down a file of it/u);

    await service.settle();
    const { files } = (await operator.call('GET', '/api/operator/files')).json();
    assert.equal(files.length, 1);
    assert.equal(files[0].reason, reason);
    assert.deepEqual(
      files[0].versions
        .map(({ space, version }: { space: string; version: number }) => [space, version])
        .sort(),
      [
        [one.space.slug, 1],
        [one.space.slug, 2],
        [two.space.slug, 1],
      ].sort(),
    );
    const sent = (await mails()).filter((mail) => mail.includes(reason));
    assert.equal(sent.length, 2, 'one for each space');
    assert.ok(sent.some((mail) => mail.includes('hopper@example.org') && mail.includes('art/moon.svg')));
    // Taking a file down twice sends no second mail, and neither does a job that broke off between two versions.
    await change('POST');
    await service.service.platform.database.transaction(async (tx) => {
      await tx.db
        .deleteFrom('taken_down_versions')
        .where('version_id', '=', givenId('ver', preview.version.id))
        .execute();
      await tx.enqueue(takeDownJob, sha256(moon));
    });
    await service.settle();
    assert.equal((await mails()).filter((mail) => mail.includes(reason)).length, 2);

    await change('DELETE');
    for (const url of shown) assert.equal(await statusAt(url), 200, url);
    assert.deepEqual((await operator.call('GET', '/api/operator/files')).json().files, []);
    const { entries } = (await operator.call('GET', '/api/operator/audit')).json();
    const actions = entries
      .filter(({ subject }: { subject: { kind: string } }) => subject.kind === 'file')
      .map(({ action }: { action: string }) => action);
    assert.deepEqual(actions, ['give_back', 'take_down']);
  });

  it('is refused in new versions, and versions that contain it cannot become live again', async () => {
    const { space } = await publishLive(service, creator, withMoon);
    await publishFiles(creator, { 'index.html': page }, { space: space.slug }, { live: true });
    await service.settle();
    const files = Object.entries(withMoon).map(([path, text]) => ({
      path,
      size: text.length,
      sha256: sha256(text),
    }));
    const create = () => creator.call('POST', '/api/v1/hosting/versions', { space: space.slug, files });
    const begun = (await create()).json();
    await change('POST');
    const refused = await create();
    assert.equal(refused.json().code, 'invalid_files');
    assert.deepEqual(refused.json().paths, ['art/moon.svg']);
    const finished = await creator.call('POST', `/api/v1/hosting/versions/${begun.version.id}/finish`, {});
    assert.equal(finished.json().code, 'invalid_files');
    const back = await creator.call('POST', `/api/v1/hosting/spaces/${space.slug}/rollback`, { version: 1 });
    assert.equal(back.json().code, 'not_allowed');
    assert.match(back.json().error, /moon\.svg.* was taken down/u);
    await change('DELETE');
    assert.equal((await create()).status, 201);
    await service.settle();
  });

  it('is told to nobody whose account was deleted', async () => {
    const leaver = await service.creator('leaver');
    await publishLive(service, leaver, withMoon);
    const { database } = service.service.platform;
    await database.transaction(async (tx) => {
      const account = await findPlayer(tx.db, 'leaver');
      assert.ok(account);
      await emptyCreator(tx, account.playerId);
    });
    await change('POST');
    await service.settle();
    await change('DELETE');
    assert.deepEqual(
      (await mails()).filter((mail) => mail.includes('@deleted.invalid')),
      [],
    );
  });

  it('keeps a review of a version that contains it from being approved', async () => {
    const { space } = await publishLive(service, creator, { 'index.html': '<title>Harmless</title>' });
    const bad = {
      'index.html':
        '<!doctype html><title>Win</title><script>location = "https://prizes.example/claim"</script>',
      'art/moon.svg': moon,
    };
    const { version } = await publishFiles(creator, bad, { space: space.slug }, { live: true });
    await service.settle();
    const ask = await creator.call('POST', `/api/v1/hosting/versions/${version.id}/review`);
    assert.equal(ask.status, 200, ask.text());
    const approve = () =>
      operator.call('POST', `/api/operator/reviews/${version.id}`, { decision: 'approve', reason: 'r' });
    await change('POST');
    const refused = await approve();
    assert.deepEqual([refused.status, refused.json().error], [409, 'conflict']);
    assert.match(refused.json().message, /«art\/moon\.svg» was taken down/u);
    const { urls } = service.service.platform;
    assert.equal(await statusAt(urls.live(space.slug)), 200);
    await change('DELETE');
    assert.equal((await approve()).json().outcome, 'live');
    assert.equal(await statusAt(urls.live(space.slug)), 200);
    await service.settle();
  });

  it('can be taken down by the command on the machine too', async () => {
    const values = { sha256: sha256('anything'), reason: 'The police asked.' };
    const run = (name: string, given: Record<string, string>) =>
      (takeDownCommands[name] ?? assert.fail(name)).run(machineOf(service), given);
    await run('take-down', values);
    assert.deepEqual((await run('taken-down', {})).files, [
      { ...(await operator.call('GET', '/api/operator/files')).json().files[0] },
    ]);
    // As it is copied from a browser: a page has the mark of the module in it, other files that of their coding.
    await run('give-back', { ...values, sha256: `"${values.sha256}-ovKJ0mfPqZzN"` });
    assert.deepEqual((await run('taken-down', {})).files, []);
    await service.settle();
    await assert.rejects(run('take-down', { ...values, sha256: 'moon.svg' }), /64 lower-case hex digits/u);
  });
});
