import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startClamdServer } from '../../test/clamd-server.ts';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../test/files.ts';
import { startService } from '../../test/service.ts';

const onFolder =
  process.env.TEST_ENGINE === 'postgres'
    ? 'the store of this run is not a folder that could be moved away'
    : false;

describe('the safety check', () => {
  it('waits for a store that is away, and judges when it is back', { skip: onFolder }, async () => {
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
      await service.settle();
      const status = async () =>
        (await creator.client.readVersion({ params: { id: created.version.id } })).status;
      assert.equal(await status(), 'checking');
      assert.equal((await service.get(`${service.baseUrl}/readyz`)).status, 503);
      await rename(`${blobs}-away`, blobs);
      service.clock.advance({ minutes: 2 });
      await service.settle();
      assert.equal(await status(), 'live');
    } finally {
      await service.close();
    }
  });

  it('refuses what the scanner finds, and leaves unjudged what it cannot scan', async () => {
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
        recordJudgement(platform, tx, version.id, { verdict: 'pass', report: { findings: [] } }),
      );
      const read = await creator.client.readVersion({ params: { id: version.id }, query: { wait: 30 } });
      assert.deepEqual([read.status, read.stopped], ['checking', true]);
    } finally {
      await service.close();
    }
  });
});
