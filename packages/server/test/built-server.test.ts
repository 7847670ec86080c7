import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '@spaceport/client/client';
import sharp from 'sharp';
import { currentBuild } from '../bin/current-build.mjs';
import { refusalOf } from '../bin/node-version.mjs';
import { programs } from '../build/source-urls.ts';
import { browserSetting } from './browser.ts';
import { fileEntries, listing, sha256 } from './files.ts';
import { oldestNode } from './oldest-node.ts';
import { rawRequest } from './raw-http.ts';
import { startServerProcess } from './server-process.ts';
import { startService } from './service.ts';

const serverProgram = fileURLToPath(new URL('../bin/spaceport-server.mjs', import.meta.url));

/** Tests what the server starts beside itself from a build, where no file is at the place of its source. */
describe('the built server', () => {
  it('is built from the current sources, with all its programs', () => {
    const main = currentBuild();
    assert.ok(main, 'nothing is built of these sources');
    for (const name of Object.keys(programs))
      assert.ok(existsSync(fileURLToPath(new URL(`${name}.cjs`, main))), name);
  });

  it('says which Node it needs where Node is too old', () => {
    assert.equal(refusalOf(process.version), null);
    assert.match(refusalOf('v20.20.2') ?? '', /needs Node 26 or newer, and this is v20\.20\.2/u);
    const { path, version } = oldestNode();
    if (refusalOf(`v${version}`) === null) return;
    const { status, stderr } = spawnSync(path, [serverProgram], { encoding: 'utf8' });
    assert.deepEqual([status, stderr.trim()], [1, refusalOf(`v${version}`)]);
  });

  it('starts without TLS, HTTP/2 and fetch', async () => {
    const service = await startService();
    await service.service.close();
    const listed = join(service.environment.DATA_DIR ?? '', 'loaded.txt');
    const preload = new URL(
      `data:text/javascript,${encodeURIComponent(`import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(listed)}, process.moduleLoadList.join('\\n')));`)}`,
    );
    try {
      const server = await startServerProcess(service.environment, { preload });
      await server.end();
      const loaded = readFileSync(listed, 'utf8').split('\n');
      assert.ok(loaded.includes('NativeModule http'), 'what was loaded is not listed');
      for (const name of ['tls', 'https', 'http2', 'internal/deps/undici/undici'])
        assert.ok(!loaded.includes(`NativeModule ${name}`), `${name} is loaded`);
    } finally {
      await service.restart();
      await service.close();
    }
  });

  it('checks a version in threads and a browser of its own, and encodes a cover', async () => {
    const service = await startService();
    const { token } = await service.creator();
    await service.service.close();
    const environment = { ...service.environment, BROWSER: browserSetting(), LOG_LEVEL: 'info' };
    const server = await startServerProcess(environment);
    try {
      const client = createClient({ baseUrl: server.baseUrl, token, retry: false });
      const files = {
        'index.html':
          '<!doctype html><body style="height:100vh;background:linear-gradient(teal,navy)"><script src="a.js"></script>',
        'a.js': 'document.title = "Built";',
      };
      const created = await client.createVersion({
        body: { fields: { ...listing, devices: ['desktop'] }, files: fileEntries(files) },
      });
      assert.ok('version' in created);
      for (const { sha256: hash, url } of created.uploads) {
        const body = Object.values(files).find((text) => sha256(text) === hash) ?? '';
        const answer = await rawRequest(server.port, url, { method: 'PUT', body });
        assert.equal(answer.status, 200, answer.text());
      }
      const params = { id: created.version.id };
      await client.finishVersion({ params, body: { preview: false } });
      let read = await client.readVersion({ params, query: { wait: 30 } });
      while (read.status === 'checking') read = await client.readVersion({ params, query: { wait: 30 } });
      assert.equal(read.status, 'live', JSON.stringify(read.report));
      assert.equal(read.report?.page?.loaded, true);
      const picture = sharp({ create: { width: 900, height: 900, channels: 3, background: 'teal' } });
      const cover = await rawRequest(
        server.port,
        `${server.baseUrl}/api/spaces/${created.space.slug}/cover`,
        {
          method: 'PUT',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
          body: await picture.png().toBuffer(),
        },
      );
      assert.equal(cover.status, 200, cover.text());
    } finally {
      await server.end();
      await service.restart();
      await service.close();
    }
  });
});
