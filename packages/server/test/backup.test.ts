import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../src/config.ts';
import { databaseSettings } from '../src/open-platform.ts';
import { ScratchFolder } from '../src/platform/backup/scratch-folder.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { givenId } from '../src/platform/db/ids.ts';
import { toJson } from '../src/platform/db/json.ts';
import { callAdmin, keysIn, rowsOf } from './backups.ts';
import { testRules } from './database.ts';
import { publishFiles, publishLive } from './files.ts';
import { freshInstallations, type Installations } from './fresh-installations.ts';
import { runAdmin } from './run-admin.ts';
import { type Persona, startService, type TestService } from './service.ts';
import { withoutModule } from './without-module.ts';

const game = {
  'index.html': '<!doctype html><title>Moon Hopper</title><h1>Hop</h1>',
  'art/moon.bin': randomBytes(300_000),
};

describe('a backup', () => {
  let service: TestService;
  let creator: Persona;
  let folder: string;
  let installations: Installations;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000' } });
    creator = await service.creator('hopper');
    installations = await freshInstallations(service.environment);
    ({ folder } = installations);
  });
  after(async () => {
    await installations?.drop();
    await service?.close();
  });

  const backup = (name: string, from = service.environment) =>
    callAdmin(from, 'backup', { to: join(folder, name) });
  const restore = (name: string, to: Record<string, string>) =>
    callAdmin(to, 'restore', { from: join(folder, name) });
  const fresh = (options?: { embedded?: boolean }) => installations.fresh(options);

  it('that is taken while publishing goes on is restored into an empty installation', async () => {
    const first = await publishLive(service, creator, game);
    const { slug } = first.space;
    let going = true;
    let rounds = 0;
    const publishing = (async () => {
      while (going) {
        const files = { ...game, 'art/moon.bin': randomBytes(50_000) };
        await publishFiles(creator, files, { space: slug }, { live: true });
        await service.settle();
        rounds++;
      }
    })();
    // The backup runs in a process of its own beside the server, as an operator runs it.
    const taken = await runAdmin(service.environment, ['backup', '--to', join(folder, 'going-on')]);
    going = false;
    await publishing;
    assert.equal(taken.code, 0, taken.errors);
    assert.ok(rounds > 0);
    assert.deepEqual(taken.json.missing, []);
    assert.equal(taken.json.copied, taken.json.files);

    const target = await fresh();
    const done = await runAdmin(target, ['restore', '--from', join(folder, 'going-on')]);
    assert.equal(done.code, 0, done.errors);
    const { copied: _, ...rest } = taken.json;
    assert.deepEqual(done.json, rest);
    const elsewhere = await startService({ environment: target });
    try {
      const me = await elsewhere.anonymous.call('GET', '/api/agent/me', undefined, {
        authorization: `Bearer ${creator.token}`,
      });
      assert.equal(me.json().creator.handle, 'hopper');
      const { db } = elsewhere.service.platform.database;
      const { files } = await db
        .selectFrom('spaces')
        .innerJoin('manifests', 'manifests.version_id', 'spaces.live_version_id')
        .select('manifests.files')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow();
      const { urls } = elsewhere.service.platform;
      for (const [path, , size] of JSON.parse(files) as [string, string, number][]) {
        const answer = await elsewhere.get(new URL(path, urls.live(slug)).href);
        assert.equal(answer.status, 200, path);
        const bytes = path.endsWith('.html') ? Buffer.from(withoutModule(answer.text())) : answer.body;
        assert.equal(bytes.length, size);
      }
      assert.equal(withoutModule((await elsewhere.get(urls.live(slug))).text()), game['index.html']);
      // The restored service continues where the old one stopped.
      const answer = await elsewhere.anonymous.call(
        'POST',
        '/api/v1/hosting/versions',
        { space: slug, files: [{ path: 'index.html', size: 1, sha256: '0'.repeat(64) }] },
        { authorization: `Bearer ${creator.token}` },
      );
      assert.equal(answer.status, 201, answer.text());
    } finally {
      await elsewhere.close();
    }
  });

  it('that is taken again copies new files only, and drops the tables of the one before', async () => {
    const one = await backup('again');
    const same = await backup('again');
    assert.equal(same.json.copied, 0);
    assert.equal(same.json.files, one.json.files);
    await publishLive(service, creator, { ...game, 'new.txt': randomBytes(1_000) });
    const more = await backup('again');
    assert.ok(more.json.copied > 0 && more.json.copied < more.json.files);
    const kept = await readdir(join(folder, 'again'));
    assert.deepEqual(kept.filter((name) => name.startsWith('tables-')).length, 1);
    await writeFile(join(folder, 'again', 'manifest.json.new'), 'cut short by a crash');
    assert.equal((await backup('again')).code, 0);
  });

  it('is the same after it was restored on the other engine and taken again there', async () => {
    const { code, errors } = await backup('round');
    assert.equal(code, 0, errors);
    const embedded = await fresh({ embedded: true });
    const there = await restore('round', embedded);
    assert.equal(there.code, 0, there.errors);
    assert.equal((await backup('round-2', embedded)).code, 0);
    const target = await fresh();
    const back = await restore('round-2', target);
    assert.equal(back.code, 0, back.errors);
    const rows = await rowsOf(target);
    assert.ok((rows.versions?.length ?? 0) > 1);
    assert.deepEqual(rows, await rowsOf(service.environment));
    assert.equal((await keysIn(target)).length, back.json.files);
  });

  it('can be read by its owner only, because it holds keys', async () => {
    assert.equal((await backup('private')).code, 0);
    assert.equal((await stat(join(folder, 'private'))).mode & 0o077, 0);
    assert.equal((await stat(join(folder, 'private', 'manifest.json'))).mode & 0o077, 0);
  });

  it('is restored into a data folder that only its owner can read', async () => {
    await backup('closed');
    const target = await fresh();
    assert.equal((await restore('closed', target)).code, 0);
    const data = target.DATA_DIR ?? '';
    assert.equal((await stat(data)).mode & 0o077, 0);
    const file = await stat(join(data, 'spaceport.db')).catch(() => null);
    assert.equal((file?.mode ?? 0) & 0o077, 0);
  });

  it('by hand into BACKUP_TO is the service’s own, however the place is written', async () => {
    const own = { ...service.environment, BACKUP_TO: join(folder, 'own') };
    for (const to of [join(folder, 'own'), `${join(folder, 'own')}/`, `${folder}/./own`]) {
      const answer = await runAdmin(own, ['backup', '--to', to]);
      assert.equal(answer.code, 0, answer.errors);
      assert.match(answer.json.id, /^[a-z0-9]+$/u);
    }
  });

  it('is not put into a place of another installation, and none is taken of nothing', async () => {
    const one = await backup('of-one');
    const target = await fresh();
    const nothing = await backup('of-one', target);
    assert.match(nothing.errors, /Nothing was ever started with these settings/u);
    await (await startService({ environment: target })).close();
    const other = await backup('of-one', target);
    assert.match(other.errors, /holds backups of another installation/u);
    const { backups } = (await callAdmin(target, 'backups', { in: join(folder, 'of-one') })).json;
    assert.deepEqual(
      backups.map(({ files }: { files: number }) => files),
      [one.json.files],
    );
  });

  it('is left in peace while it is being taken', async () => {
    assert.equal((await backup('busy')).code, 0);
    const place = join(folder, 'busy');
    const running = new ScratchFolder(join(place, 'tmp'), place);
    await running.make();
    assert.match((await backup('busy')).errors, /Another backup is being taken/u);
    assert.equal((await callAdmin(service.environment, 'backups', { in: place })).code, 0);
    assert.equal((await callAdmin(service.environment, 'verify-backup', { in: place })).code, 0);
    assert.ok((await stat(running.path)).isDirectory());
    await running.remove();
    assert.equal((await backup('busy')).code, 0);
    assert.deepEqual((await readdir(place)).sort().slice(0, 2), ['blobs', 'manifest.json']);
  });

  it('is not restored over existing rows', async () => {
    await backup('whole');
    const before = await rowsOf(service.environment);
    const answer = await restore('whole', service.environment);
    assert.equal(answer.code, 1);
    assert.match(answer.errors, /The database has rows already \(in [a-z_]+\)\./u);
    assert.deepEqual(await rowsOf(service.environment), before);
  });

  it('is restored even where admin commands have looked for an installation before', async () => {
    await backup('looked-for');
    const target = await fresh();
    for (const name of ['verify', 'verify-ranks']) {
      const answer = await runAdmin(target, [name]);
      assert.equal(answer.code, 1, name);
      assert.match(answer.errors, /Nothing was ever started with these settings/u, name);
    }
    // The doctor finds that the hosts do not resolve here, so it exits with 1.
    assert.equal((await runAdmin(target, ['doctor'])).code, 1);
    const answer = await restore('looked-for', target);
    assert.equal(answer.code, 0, answer.errors);
    const verified = await runAdmin(target, ['verify']);
    assert.equal(verified.code, 0, verified.errors);
    assert.deepEqual(verified.json.lost, []);
  });

  it('is not written into a folder with other files, and restore takes either --space or --from', async () => {
    const taken = join(folder, 'taken');
    assert.equal((await backup('taken')).code, 0);
    await writeFile(join(taken, 'letter.txt'), 'dear');
    const answer = await backup('taken');
    assert.match(answer.errors, /holds other things than a backup: letter\.txt/u);
    const both = await callAdmin(service.environment, 'restore', { from: taken, space: 'x' });
    assert.match(both.errors, /one of --space and --from/u);
    const neither = await callAdmin(service.environment, 'restore', {});
    assert.match(neither.errors, /one of --space and --from/u);
  });

  it('keeps counting ids from where they were, also those of deleted rows', async () => {
    const { db } = service.service.platform.database;
    const { id: space_id } = await db.selectFrom('spaces').select('id').limit(1).executeTakeFirstOrThrow();
    const now = Date.now();
    const board = {
      id: givenId('brd', 'brd_1'),
      space_id,
      env: 'live',
      key: 'main',
      title: 'Main',
      metric: 'score',
    } as const;
    await db
      .insertInto('boards')
      .values({
        ...board,
        sort: 'desc',
        trust: 'client',
        keep: 'best',
        unit: null,
        decimals: 0,
        min: null,
        max: 1e15,
        periods: toJson(['all']),
        source: 'api',
        created_at: now,
        updated_at: now,
      })
      .execute();
    const submit = (on: typeof db) =>
      on
        .insertInto('submissions')
        .values({
          board_id: board.id,
          player_id: givenId('usr', 'p'),
          score: 0.1 + 0.2,
          meta: null,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
    await submit(db);
    const last = await submit(db);
    await db.deleteFrom('submissions').where('id', '=', last.id).execute();
    await backup('counted');
    const target = await fresh();
    assert.equal((await restore('counted', target)).code, 0);
    const database = await openDatabase(databaseSettings(readConfig(target)), testRules);
    try {
      const [kept] = await database.db.selectFrom('submissions').select('score').execute();
      assert.equal(kept?.score, 0.1 + 0.2);
      assert.ok((await submit(database.db)).id > last.id);
    } finally {
      await database.close();
    }
  });
});
