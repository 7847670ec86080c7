import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BackupBusy } from '../src/backups/backup-lease.ts';
import { takeOwnBackup } from '../src/backups/take-own-backup.ts';
import { databaseSettings } from '../src/open-platform.ts';
import { openBackupPlace } from '../src/platform/backup/open-place.ts';
import type { BackupPlace } from '../src/platform/backup/place.ts';
import { callAdmin } from './backups.ts';
import { publishFiles, publishLive } from './files.ts';
import { readMetrics } from './metrics.ts';
import { testFolder } from './prepared.ts';
import { type Persona, startService, type TestService } from './service.ts';
import { withoutModule } from './without-module.ts';

const page = (words: string) => `<!doctype html><title>Moon Hopper</title><h1>${words}</h1>`;
const art = randomBytes(200_000);

describe('the backups that the service takes on its own', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  let place: BackupPlace;
  let folder: string;
  let slug: string;
  before(async () => {
    folder = await mkdtemp(join(testFolder, 'own-backups-'));
    // Backups go to S3 if the run has an S3 server, otherwise to a folder.
    const s3 = process.env.TEST_S3_URL;
    const bucket = s3 ? new URL(s3) : null;
    if (bucket) bucket.pathname = `/${randomBytes(6).toString('hex')}`;
    const to = bucket?.href ?? join(folder, 'kept');
    place = await openBackupPlace(to, folder);
    const environment = { BACKUP_TO: to, BACKUP_EVERY: '1h', BACKUP_KEEP: '3h', PUBLISHES_PER_HOUR: '1000' };
    service = await startService({ environment });
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator('hopper');
    slug = (await publishLive(service, creator, { 'index.html': page('One'), 'art.bin': art })).space.slug;
  });
  after(async () => {
    await service.close();
    await place.close();
    await rm(folder, { recursive: true, force: true });
  });

  const health = async () => (await operator.call('GET', '/api/operator/health')).json().backup;
  const admin = (name: string, values: Record<string, string> = {}) =>
    callAdmin(service.environment, name, values);
  const ids = async () => (await admin('backups')).json.backups.map(({ id }: { id: string }) => id);
  /** Moves the clock by an hour, then does what the timers do. */
  async function hourly(): Promise<void> {
    service.clock.advance({ hours: 1 });
    await service.service.sweep();
    await service.settle();
  }

  it('are taken when they are due, and copy only files that are new', async () => {
    assert.deepEqual(await health(), { state: 'none', running: false, error: null, newest: null });
    await hourly();
    const first = await health();
    assert.equal(first.state, 'ok');
    assert.ok(first.newest.copied >= 2 && first.newest.copied === first.newest.files);
    await service.service.sweep();
    await service.settle();
    assert.equal((await health()).newest.id, first.newest.id, 'none is due yet');

    await publishFiles(
      creator,
      { 'index.html': page('Two'), 'art.bin': art },
      { space: slug },
      { live: true },
    );
    await service.settle();
    await hourly();
    const second = await health();
    assert.ok(second.newest.files > first.newest.files);
    assert.equal(second.newest.copied, second.newest.files - first.newest.files);
    assert.deepEqual(await ids(), [second.newest.id, first.newest.id]);
    assert.equal(second.newest.lost, 0);
  });

  it('can be restored into an empty installation, the newest and each older one', async () => {
    const [second, first] = await ids();
    const headings = new Map([
      [undefined, 'Two'],
      [second, 'Two'],
      [first, 'One'],
    ]);
    for (const [id, heading] of headings) {
      assert.equal((await admin('verify-backup', id ? { id } : {})).code, 0);
      const target: Record<string, string> = {
        DATA_DIR: await mkdtemp(join(folder, 'data-')),
        DATABASE_URL: '',
        BLOB_STORE: '',
      };
      const from = service.environment.BACKUP_TO ?? '';
      const done = await callAdmin(target, 'restore', id ? { from, id } : { from });
      assert.equal(done.code, 0, done.errors);
      const elsewhere = await startService({ environment: target, role: 'serve' });
      try {
        const { urls } = elsewhere.service.platform;
        assert.equal(withoutModule((await elsewhere.get(urls.live(slug))).text()), page(heading));
        assert.ok((await elsewhere.get(new URL('art.bin', urls.live(slug)).href)).body.equals(art));
        const me = await elsewhere.anonymous.call('GET', '/api/agent/me', undefined, {
          authorization: `Bearer ${creator.token}`,
        });
        assert.equal(me.json().creator.handle, 'hopper');
      } finally {
        await elsewhere.close();
      }
    }
    const unknown = await admin('verify-backup', { id: 'nothing' });
    assert.match(unknown.errors, /no complete backup in .*nothing/u);
  });

  it('are not replaced by one that is taken by hand with other settings', async () => {
    const before = await ids();
    assert.ok(before.length > 1);
    const elsewhere = { ...service.environment, BACKUP_TO: '' };
    const answer = await callAdmin(elsewhere, 'backup', { to: service.environment.BACKUP_TO ?? '' });
    assert.match(answer.errors, /holds several backups/u);
    assert.deepEqual(await ids(), before);
  });

  it('are reported by name when they are damaged', async () => {
    const paths = (await Array.fromAsync(place.list('blobs/'))).map(({ path }) => path);
    const [damaged = '', gone = ''] = paths;
    await place.write(damaged, 'other bytes');
    await place.delete(gone);
    const { code, errors } = await admin('verify-backup');
    assert.equal(code, 1);
    for (const path of [damaged, gone]) assert.match(errors, new RegExp(path.split('/').at(-1) ?? '-', 'u'));
    // The next backup adds missing files. A damaged file must be deleted first.
    await place.delete(damaged);
    await hourly();
    assert.equal((await admin('verify-backup')).code, 0);
  });

  it('are deleted by the retention rule, and files with the last backup that names them', async () => {
    const orphan = `blobs/00/${'0'.repeat(64)}-00000000`;
    await place.write(orphan, 'nobody names it');
    await place.write('tables-crashed/spaces.jsonl', 'a backup that came to nothing');
    for (let hour = 0; hour < 4; hour++) await hourly();
    assert.equal((await ids()).length, 3);
    assert.deepEqual(await Array.fromAsync(place.list('tables-crashed')), []);
    service.clock.advance({ hours: 24 });
    await hourly();
    assert.deepEqual(await Array.fromAsync(place.list(orphan)), []);
    assert.equal((await admin('verify-backup')).code, 0);
  });

  it('are named without their keys by what admin prints', async () => {
    const to = new URL(service.environment.BACKUP_TO ?? '', 'file:///');
    to.pathname += '-by-hand';
    const elsewhere = to.protocol === 's3:' ? to.href : to.pathname;
    const name = to.protocol === 's3:' ? `s3://${to.host}${to.pathname}/` : to.pathname;
    const taken = await callAdmin({ ...service.environment, BACKUP_TO: '' }, 'backup', { to: elsewhere });
    assert.equal(taken.json.directory, name, taken.errors);
    const target = { DATA_DIR: await mkdtemp(join(folder, 'data-')), DATABASE_URL: '', BLOB_STORE: '' };
    const done = await callAdmin(target, 'restore', { from: elsewhere });
    assert.equal(done.json.directory, name, done.errors);
    const wrong = await admin('backups', { in: 's3://id:hush@bucket?endpont=x' });
    assert.match(wrong.errors, /^s3:\/\/bucket\?endpont=x cannot be used: .* parameter: endpont\.$/u);
  });

  it('can be taken by hand, one at a time', async () => {
    const { config, platform } = service.service;
    const take = () => takeOwnBackup(platform, databaseSettings(config));
    const both = await Promise.allSettled([take(), take()]);
    const refused = both.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1);
    assert.ok((refused[0] as PromiseRejectedResult).reason instanceof BackupBusy);
  });

  it('show in Health and the doctor why the last one failed, and are tried again', async () => {
    const list = `tables-${(await ids())[0]}/+blobs.jsonl`;
    const lines = Buffer.concat(await Array.fromAsync((await place.open(list)) ?? []));
    // Without this list it is unknown which files may be deleted.
    await place.write(list, 'damaged');
    service.clock.advance({ hours: 24 });
    await hourly();
    const { state, error, newest } = await health();
    assert.equal(state, 'failed');
    assert.match(error, /\+blobs\.jsonl is damaged\. No file was deleted/u);
    assert.notEqual(newest, null);
    const { findings } = (await operator.call('GET', '/api/operator/health/findings')).json();
    const found = findings.find(({ about }: { about: string }) => about === 'backup');
    assert.equal(found.state, 'wrong');
    await place.write(list, lines.toString('utf8'));
    await service.service.sweep();
    await service.settle();
    assert.equal((await health()).state, 'ok');
  });

  it('are late after a clock that was ahead, and taken again at once', async () => {
    service.clock.advance({ days: 30 });
    await hourly();
    const { newest: ahead } = await health();
    service.clock.advance({ days: -30 });
    assert.equal((await health()).state, 'late');
    assert.ok((await readMetrics(service)).sum('spaceport_backup_age_seconds') > 0);
    await service.service.sweep();
    await service.settle();
    const { state, newest } = await health();
    assert.equal(state, 'ok');
    assert.ok(newest.made_at < ahead.made_at);
  });

  it('are not taken into a place that has lost the earlier ones, until somebody asks for one', async () => {
    const kept = await Promise.all(
      ['manifest', 'tables-', 'blobs/'].map((prefix) => Array.fromAsync(place.list(prefix))),
    );
    for (const { path } of kept.flat()) await place.delete(path);
    await hourly();
    const { state, error } = await health();
    assert.equal(state, 'failed');
    assert.match(error, /has none of the backups.* disk mounted\? .*\(admin backup\)/u);
    assert.deepEqual(await Array.fromAsync(place.list('blobs/')), []);
    const { config, platform } = service.service;
    await takeOwnBackup(platform, databaseSettings(config), { byHand: true });
    await hourly();
    assert.deepEqual([(await health()).state, (await ids()).length], ['ok', 2]);
  });
});
