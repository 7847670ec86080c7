import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CommandError } from '../src/command-line.ts';
import { backupCommands } from '../src/commands/admin-backup.ts';
import { verifyCommands } from '../src/commands/admin-verify.ts';
import { verifyFiles } from '../src/versions/mend.ts';
import { scrubFiles } from '../src/versions/scrub.ts';
import { fileEntries, listing, publishLive, sha256 } from './files.ts';
import { machineOf } from './run-admin.ts';
import { type Persona, startService, type TestService } from './service.ts';
import { withoutModule } from './without-module.ts';

const page = '<!doctype html><title>Kept</title><script src="game.js"></script>';
const script = (name: string) => `// ${name}\n${'document.title += "!";\n'.repeat(200)}`;

describe('stored files that are damaged or lost', () => {
  let service: TestService;
  let creator: Persona;
  let operator: Persona;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spaceport-damage-'));
    // Both engines use a folder, because the test can damage stored files only there.
    service = await startService({ environment: { BLOB_STORE: '' } });
    creator = await service.creator();
    operator = await service.creator('keeper', { operator: true });
  });
  after(async () => {
    await service.close({ allowFailedJobs: true });
    await rm(folder, { recursive: true });
  });

  const blobs = () => join(service.environment.DATA_DIR ?? '', 'blobs');
  /** Returns the key of the file itself, not of its compressed forms. */
  async function keyOf(content: string): Promise<string> {
    const { key } = await service.service.platform.database.db
      .selectFrom('blobs')
      .select('key')
      .where('hash', '=', sha256(content))
      .executeTakeFirstOrThrow();
    return key;
  }
  async function pathOf(content: string): Promise<string> {
    const key = await keyOf(content);
    return join(blobs(), key.slice(0, 2), key);
  }
  async function flip(path: string): Promise<void> {
    const bytes = await readFile(path);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await writeFile(path, bytes);
  }
  const lostFiles = async (): Promise<{ key: string; problem: string }[]> =>
    (await operator.call('GET', '/api/operator/health')).json().lost_files;
  const asked = async (files: Record<string, string>): Promise<string[]> => {
    const body = { fields: listing, files: fileEntries(files), dryRun: true };
    return (await creator.call('POST', '/api/v1/hosting/versions', body)).json().missing.files;
  };
  const served = async (url: string, path: string) => (await service.get(new URL(path, url).href)).text();

  it('are found by the scrub, shown to operators, asked for by the next create, and then repaired', async () => {
    const files = { 'index.html': page, 'game.js': script('scrub') };
    const { space } = await publishLive(service, creator, files);
    await service.service.sweep();
    await flip(await pathOf(files['game.js']));
    await unlink(await pathOf(page));
    service.clock.advance({ days: 31 });
    await service.service.sweep();
    assert.deepEqual((await lostFiles()).map(({ problem }) => problem).sort(), ['damaged', 'missing']);
    assert.equal(Number(await asked(files)), 2);
    await publishLive(service, creator, files, { space: space.slug });
    assert.deepEqual(await lostFiles(), []);
    assert.equal(await served(space.url, 'game.js'), files['game.js']);
    assert.equal(withoutModule(await served(space.url, '')), page);
  });

  it('do not go live: the version says which file is lost, and publishing again repairs it', async () => {
    const files = { 'index.html': page.replace('Kept', 'Gone'), 'game.js': script('check') };
    const { space } = await publishLive(service, creator, files);
    await unlink(await pathOf(files['game.js']));
    const again = await publishLive(service, creator, files, { space: space.slug });
    const read = await creator.client.readVersion({ params: { id: again.version.id } });
    assert.equal(read.status, 'unjudged');
    assert.deepEqual(
      read.report?.findings.map(({ rule, path }) => [rule, path]),
      [['stored', 'game.js']],
    );
    const healed = await publishLive(service, creator, files, { space: space.slug });
    assert.equal((await creator.client.readVersion({ params: { id: healed.version.id } })).status, 'live');
    assert.equal(await served(space.url, 'game.js'), files['game.js']);
  });

  it('do not go live by a rollback or an approved review until they are published again', async () => {
    const lostIn = (mark: string) => ({
      'index.html': page.replace('Kept', mark),
      'game.js': script(mark),
    });
    const first = lostIn('rollback');
    const { space } = await publishLive(service, creator, first);
    const second = await publishLive(service, creator, lostIn('newer'), { space: space.slug });
    await unlink(await pathOf(first['game.js']));
    const back = () => creator.call('POST', `/api/v1/hosting/spaces/${space.slug}/rollback`, { version: 1 });
    const refused = await back();
    assert.deepEqual([refused.status, refused.json().code], [409, 'not_allowed'], refused.text());
    assert.match(refused.json().error, /lost «game\.js»/u);
    const { versions } = await creator.client.listVersions({ params: { slug: space.slug } });
    assert.equal(versions.find(({ live }) => live)?.number, second.version.number);
    await publishLive(service, creator, first);
    assert.equal((await back()).status, 200);
    assert.equal(await served(space.url, 'game.js'), first['game.js']);

    const away = '<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">';
    const bad = { 'index.html': away, 'game.js': script('review') };
    const { version } = await publishLive(service, creator, bad);
    await creator.call('POST', `/api/v1/hosting/versions/${version.id}/review`);
    await unlink(await pathOf(bad['game.js']));
    const approve = () =>
      operator.call('POST', `/api/operator/reviews/${version.id}`, { decision: 'approve', reason: 'fine' });
    const kept = await approve();
    assert.deepEqual([kept.status, kept.json().error], [409, 'conflict'], kept.text());
    assert.match(kept.json().message, /lost «game\.js»/u);
    assert.equal((await creator.client.readVersion({ params: { id: version.id } })).status, 'refused');
    await publishLive(service, creator, bad);
    assert.equal((await approve()).json().outcome, 'live');
  });

  it('are named by a backup that still completes, and repaired by admin verify from it or a compressed form', async () => {
    const files = {
      'index.html': page.replace('Kept', 'Saved'),
      'game.js': script('mend'),
      'tiny.txt': 'tiny',
    };
    const { space } = await publishLive(service, creator, files);
    const machine = machineOf(service);
    const to = join(folder, 'backup');
    const backup = async (directory: string) => backupCommands.backup?.run(machine, { to: directory });
    const verify = async (values: Record<string, string | boolean>) => {
      const answer = await verifyCommands.verify?.run(machine, values);
      return answer as { mended: { from: string }[]; lost: unknown[] };
    };
    await backup(to);
    await flip(await pathOf(files['game.js']));
    await flip(await pathOf('tiny'));
    const taken = await backup(join(folder, 'later'));
    assert.deepEqual(taken?.damaged, [await keyOf('tiny'), await keyOf(files['game.js'])].sort());

    assert.equal((await verify({})).lost.length, 2);
    // A compressed form can repair a file as well as a copy can.
    const byForm = await verify({ repair: true });
    assert.deepEqual(
      [byForm.mended.map(({ from }) => from), byForm.lost.length],
      [['its compressed form (br)'], 1],
    );
    const byBackup = await verify({ repair: true, from: to });
    assert.match(byBackup.mended[0]?.from ?? '', /^the backup/u);
    assert.deepEqual(await verify({}), { ...(await verify({})), mended: [], lost: [] });
    assert.deepEqual(await lostFiles(), []);
    assert.equal(await served(space.url, 'tiny.txt'), 'tiny');
    assert.equal(await served(space.url, 'game.js'), files['game.js']);
  });

  it('are not repaired from what is no place of backups', async () => {
    const verify = async (from: string) =>
      verifyCommands.verify?.run(machineOf(service), { repair: true, from });
    await assert.rejects(verify('ftp://example.org/backup'), {
      constructor: CommandError,
      message: 'ftp://example.org/backup is neither a folder nor starts with s3://.',
    });
    await assert.rejects(verify('s3://'), { constructor: CommandError, message: 's3:// names no bucket.' });
    const empty = join(folder, 'empty');
    await assert.rejects(verify(empty), {
      constructor: CommandError,
      message: `There is no complete backup in ${empty}.`,
    });
  });

  it('are repaired although a copy of them is deleted meanwhile', async () => {
    const files = { 'index.html': page.replace('Kept', 'Copied'), 'game.js': script('copied') };
    await publishLive(service, creator, files);
    await flip(await pathOf(files['game.js']));
    const { platform } = service.service;
    const list = async function* () {
      // The collector deletes this copy once it was listed.
      yield { key: `${sha256(files['game.js'])}-zzzzzzzz`, writtenAt: 0 };
      yield* platform.store.list();
    };
    const store = Object.create(platform.store, { list: { value: list } });
    const verified = await verifyFiles({ ...platform, store }, { repair: true, backup: null });
    assert.deepEqual(
      verified.mended.map(({ from }) => from),
      ['its compressed form (br)'],
    );
    assert.deepEqual(verified.lost, []);
  });

  it('are looked for by reading every file once in SCRUB_DAYS', async () => {
    const { platform } = service.service;
    const reads = new Map<string, number>();
    const store = Object.create(platform.store, {
      open: {
        value: (key: string) => {
          reads.set(key, (reads.get(key) ?? 0) + 1);
          return platform.store.open(key);
        },
      },
    });
    const counting = { ...platform, store };
    // Finishes the round that the tests before have begun.
    await scrubFiles(counting);
    reads.clear();
    for (let hour = 0; hour <= 30 * 24; hour += 12) {
      service.clock.advance({ hours: 12 });
      await scrubFiles(counting);
    }
    // Files at the boundary of two rounds may be read in both.
    const seldom = [...reads.values()].filter((times) => times > 1).length;
    assert.ok(seldom <= 1, `${seldom} files were read more than once`);
    assert.equal(reads.size, (await Array.fromAsync(namedKeys())).length);

    async function* namedKeys() {
      const { db } = platform.database;
      for (const { key } of await db.selectFrom('blobs').select('key').execute()) yield key;
      for (const { key } of await db.selectFrom('blob_forms').select('key').execute()) yield key;
    }
  });

  it('are not reported for partial files of a crash, which are deleted after a day', async () => {
    const temporary = join(blobs(), 'tmp');
    const old = join(temporary, 'left-by-a-crash');
    await writeFile(old, 'half');
    await utimes(old, Date.now() / 1000 - 2 * 86_400, Date.now() / 1000 - 2 * 86_400);
    await writeFile(join(temporary, 'being-written'), 'half');
    await service.service.sweep();
    assert.deepEqual(await readdir(temporary), ['being-written']);
  });
});
