import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { startClamdServer } from '../../test/clamd-server.ts';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../test/files.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { startService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { lockSpace } from '../spaces/spaces.ts';

const onFolder =
  process.env.TEST_ENGINE === 'postgres'
    ? 'the store of this run is not a folder that could be moved away'
    : false;

describe('the safety check', () => {
  it('does not keep an operator from taking the space off while its verdict waits to be written', {
    skip: withoutLockWaits,
  }, async () => {
    // The scanner holds the verdict back until the space is locked.
    const locked = Promise.withResolvers<void>();
    const clamd = await startClamdServer({ until: locked.promise });
    const service = await startService({ environment: { CLAMD: clamd.address } });
    try {
      const creator = await service.creator();
      const published = await publishFiles(creator, smallGame, {}, { live: true });
      const { database } = service.service.platform;
      const { db } = database;
      const ref = givenId('ver', published.version.id);
      let judged: Promise<void> = Promise.resolve();
      await database.transaction(async (tx) => {
        const { space_id } = await tx.db
          .selectFrom('versions')
          .select('space_id')
          .where('id', '=', ref)
          .executeTakeFirstOrThrow();
        await lockSpace(tx, space_id);
        judged = service.settle();
        locked.resolve();
        await someoneWaits(db);
        // If the verdict locked the job before the space, it would wait for this
        // transaction, and this one for it.
        await sql`set local lock_timeout = '500ms'`.execute(tx.db);
        await tx.db.deleteFrom('jobs').where('ref', '=', ref).execute();
      });
      await judged;
      assert.equal((await creator.client.readVersion({ params: { id: ref } })).status, 'checking');
    } finally {
      await service.close();
      await clamd.close();
    }
  });

  it('waits while the store is unavailable, and judges when it is back', { skip: onFolder }, async () => {
    const service = await startService();
    try {
      const creator = await service.creator();
      const created = (
        await creator.call('POST', '/api/v1/hosting/versions', {
          fields: listing,
          files: fileEntries({ 'index.html': 'patience' }),
        })
      ).json();
      await putFile(service, created.uploads[0].url, 'patience');
      const blobs = join(service.environment.DATA_DIR ?? '', 'blobs');
      await rename(blobs, `${blobs}-away`);
      await creator.client.finishVersion({ params: { id: created.version.id }, body: { preview: false } });
      const status = async () =>
        (await creator.client.readVersion({ params: { id: created.version.id } })).status;
      // This is far more often than a check may fail.
      for (let minute = 0; minute < 20; minute++) {
        await service.settle();
        assert.equal(await status(), 'checking');
        service.clock.advance({ minutes: 1 });
      }
      assert.equal((await service.get(`${service.baseUrl}/readyz`)).json().status, 'degraded');
      await rename(`${blobs}-away`, blobs);
      service.clock.advance({ minutes: 2 });
      await service.settle();
      assert.equal(await status(), 'live');
    } finally {
      await service.close();
    }
  });

  it('refuses what the scanner finds, and leaves unjudged what the scanner cannot scan', async () => {
    const clamd = await startClamdServer();
    const service = await startService({
      environment: { CLAMD: clamd.address },
    });
    try {
      const creator = await service.creator();
      const clean = await publishLive(service, creator, smallGame);
      assert.equal((await creator.client.readVersion({ params: { id: clean.version.id } })).status, 'live');
      await clamd.close();
      const unscanned = await publishLive(
        service,
        creator,
        { 'index.html': 'nobody scans this' },
        { space: clean.space.slug },
      );
      const read = await creator.client.readVersion({ params: { id: unscanned.version.id } });
      assert.equal(read.status, 'unjudged');
      assert.match(read.reason ?? '', /scanner/iu);
    } finally {
      await service.close();
      await clamd.close();
    }
  });

  it('refuses EICAR, naming the file', async () => {
    const service = await startService();
    try {
      const creator = await service.creator();
      const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
      const { version } = await publishLive(service, creator, { ...smallGame, 'assets/data.bin': eicar });
      const read = await creator.client.readVersion({ params: { id: version.id } });
      assert.equal(read.status, 'refused');
      assert.equal(read.report?.findings[0]?.path, 'assets/data.bin');
    } finally {
      await service.close();
    }
  });

  it('ends without a verdict when the space leaves the service meanwhile', async () => {
    const service = await startService({ role: 'serve' });
    try {
      const creator = await service.creator();
      const { version, space } = await publishFiles(creator, smallGame, {}, { live: true });
      const { platform } = service.service;
      await platform.database.db
        .updateTable('spaces')
        .set({ state: 'held' })
        .where('slug', '=', space.slug)
        .execute();
      const { recordJudgement } = await import('../versions/judgement.ts');
      await platform.database.transaction((tx) =>
        recordJudgement(tx, givenId('ver', version.id), { verdict: 'pass', report: { findings: [] } }),
      );
      const read = await creator.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
      assert.deepEqual([read.status, read.stopped], ['checking', true]);
    } finally {
      await service.close();
    }
  });
});
