import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { fileEntries, listing, publishFiles, publishLive, putFile, sha256 } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { PackingProcess } from '../platform/blobs/packing-process.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import { createPackJob } from './packing.ts';

const script = (name: string) =>
  `// ${name}\n${'export function jump(player) { return player.y + 12; }\n'.repeat(200)}`;

describe('the compressed forms of a version', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close({ allowFailedJobs: true }));

  const codingOf = async (url: string, path: string) =>
    (await service.get(new URL(path, url).href, { headers: { 'accept-encoding': 'br' } })).headers[
      'content-encoding'
    ];

  it('are made in a fresh data folder, also after a large file that does not get smaller', async () => {
    const { space } = await publishLive(service, creator, {
      'index.html': '<!doctype html><title>Large</title>',
      'a.js': script('a'),
      'data.bin': randomBytes(5 * 1024 * 1024),
      'engine.data': Buffer.concat([randomBytes(5 * 1024 * 1024), Buffer.alloc(5 * 1024 * 1024)]),
      'z.js': script('z'),
    });
    const codings = ['a.js', 'data.bin', 'engine.data', 'z.js'].map((path) => codingOf(space.url, path));
    assert.deepEqual(await Promise.all(codings), ['br', undefined, 'br', 'br']);
  });

  it('are made for the other files when one fails', async () => {
    const files = {
      'index.html': '<!doctype html><title>Lost</title>',
      'a.js': script('one'),
      'b.js': script('two'),
    };
    const { version, uploads } = (
      await creator.call('POST', '/api/v1/hosting/versions', { fields: listing, files: fileEntries(files) })
    ).json();
    for (const { sha256: hash, url } of uploads) {
      const content = Object.values(files).find((text) => sha256(text) === hash) ?? '';
      await putFile(service, url, content);
    }
    const { store } = service.service.platform;
    for await (const { key } of store.list()) {
      if (key.startsWith(sha256(files['a.js']))) await store.delete(key);
    }
    const { previewUrl = '' } = await creator.client.finishVersion({
      params: { id: version.id },
      body: { preview: true },
    });
    for (let attempt = 0; attempt < 3; attempt++) {
      await service.settle();
      service.clock.advance({ minutes: 1 });
    }
    assert.equal(await codingOf(previewUrl, 'b.js'), 'br');
  });

  it('are served at once where nobody has an account', async (context) => {
    await service.service.worker.stop();
    context.after(() => service.restart());
    const { version, space } = await publishFiles(service.anonymous, {
      'index.html': '<!doctype html><title>Unlisted</title>',
      'a.js': script('unlisted'),
    });
    assert.equal(await codingOf(space.url, 'a.js'), undefined);
    const { platform } = service.service;
    const packing = new PackingProcess();
    context.after(() => packing.close());
    const job = createPackJob(platform, { packing, temporaryFolder: temporaryFolder(platform.config) });
    const { signal } = new AbortController();
    await job.run({ ref: version.id, signal, confirmLease: async () => {} });
    assert.equal(await codingOf(space.url, 'a.js'), 'br');
  });
});
