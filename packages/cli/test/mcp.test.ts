import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startClamdServer } from '../../server/test/clamd-server.ts';
import { page, smallGame } from '../../server/test/files.ts';
import { clientOf, type Era, type McpClient, useMcp } from '../../server/test/mcp-client.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import '../../server/test/one-engine.ts';

const launcher = fileURLToPath(new URL('../bin/spaceport.mjs', import.meta.url));

describe('spaceport mcp', () => {
  let service: TestService;
  let ada: Persona;
  let folder: string;
  before(async () => {
    service = await startService({ environment: { ANONYMOUS_PUBLISHES_PER_HOUR: '100' } });
    ada = await service.creator('ada');
  });
  after(() => service.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spaceport-mcp-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (
    era: Era,
    env: Record<string, string> = {},
    server: string = service.baseUrl,
  ): Promise<McpClient> =>
    useMcp(clientOf(era), (client) =>
      client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [launcher, 'mcp', '--server', server],
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: join(folder, '.config'), ...env },
        }),
      ),
    );

  for (const era of ['modern', 'legacy'] satisfies Era[])
    it(`publishes from files in an empty folder without an account (${era})`, async () => {
      await using agent = await start(era);
      const made = await agent.call('publish', {
        files: [
          { path: 'index.html', text: page },
          { path: 'js/é 1.js', base64: Buffer.from('1').toString('base64') },
        ],
        title: 'Moon Hopper',
        wait: 0,
      });
      assert.equal(made.status, 'preview');
      assert.ok((await service.get(made.previewUrl)).text().includes('<canvas>'));
      assert.equal((await service.get(`${made.previewUrl}js/%C3%A9%201.js`)).text(), '1');
      const { versionId: version, claimToken: claim } = made;
      assert.equal((await agent.call('status', { version, claim })).number, 1);
      const odd = await agent.refused('publish', { files: [{ path: 'a"b.html', text: page }] });
      assert.equal(odd.code, 'invalid_files');
      assert.deepEqual(readdirSync(folder), []);
    });

  it('publishes a folder, and then the next version of it to the same page', async () => {
    const dist = join(folder, 'dist');
    mkdirSync(dist);
    for (const [path, content] of Object.entries(smallGame)) writeFileSync(join(dist, path), content);
    await using agent = await start('modern');
    const made = await agent.call('publish', { folder: 'dist', wait: 0 });
    assert.deepEqual([made.status, made.number], ['preview', 1]);
    assert.ok(made.claimUrl.startsWith(`${service.baseUrl}/claim#`));
    writeFileSync(join(dist, 'game.js'), 'document.title = "2";');
    const again = await agent.call('publish', { folder: dist, wait: 0 });
    assert.deepEqual([again.space, again.number], [made.space, 2]);
    assert.equal((await service.get(`${again.previewUrl}game.js`)).text(), 'document.title = "2";');

    const lacking = await agent.refused('publish', { folder: 'build' });
    assert.match(lacking.message, /There is no folder/u);
    assert.match((await agent.refused('publish')).next, /folder: "\.\/dist"/u);
    for (const given of [{ live: true }, { space: 'some-game' }]) {
      const { code, next } = await agent.refused('publish', { folder: dist, ...given });
      assert.equal(code, 'not_signed_in');
      assert.match(next, /^Sign in: run .*login --start.*call the tool again\.$/u);
    }
    rmSync(join(dist, 'index.html'));
    const noPage = await agent.refused('publish', { folder: dist });
    assert.match(noPage.next, /"entry" in service\.json/u);
  });

  it('publishes a folder to the page of a given claim token, and keeps that of the folder', async () => {
    writeFileSync(join(folder, 'index.html'), page);
    await using agent = await start('modern');
    const own = await agent.call('publish', { folder: '.', wait: 0 });
    const files = [{ path: 'index.html', text: page }];
    const other = await agent.call('publish', { files, wait: 0 });
    const again = await agent.call('publish', { folder: '.', claim: other.claimToken, wait: 0 });
    assert.deepEqual([again.space, again.number], [other.space, 2]);
    const third = await agent.call('publish', { folder: '.', wait: 0 });
    assert.deepEqual([third.space, third.number], [own.space, 2]);
    const wrong = await agent.refused('publish', { folder: '.', claim: 'sp_claim_wrong' });
    assert.equal(wrong.code, 'claim_not_found');

    await using owner = await start('modern', { SPACEPORT_TOKEN: ada.token });
    const claimed = await owner.call('publish', { folder: '.', claim: other.claimToken, wait: 0 });
    assert.equal(claimed.number, 3);
    const { versions } = await owner.call('versions', { space: claimed.space });
    assert.equal(versions.length, 3);
    // The folder's own page is nobody's yet.
    assert.match(readFileSync(join(folder, '.spaceport/claim.json'), 'utf8'), new RegExp(own.space, 'u'));
  });

  it('refuses calls while the settings of this machine cannot be read, and says what to do', async () => {
    await using agent = await start('modern');
    mkdirSync(join(folder, '.config/spaceport'), { recursive: true });
    writeFileSync(join(folder, '.config/spaceport/config.json'), '{ cut of');
    for (const [tool, given] of [
      ['spaces', {}],
      ['publish', { folder: '.' }],
    ] as const) {
      const { code, message, next } = await agent.refused(tool, given);
      assert.equal(code, 'bad_config');
      assert.match(message, /config\.json is not a configuration/u);
      assert.match(next, /^Correct it, or delete it/u);
    }
    rmSync(join(folder, '.config'), { recursive: true });
    assert.equal((await agent.refused('spaces')).code, 'unauthorized');
  });

  it('takes calls with megabytes of files, and says of a larger one what to do', async () => {
    await using agent = await start('modern');
    const base64 = Buffer.alloc(9 * 1024 * 1024).toString('base64');
    const files = [
      { path: 'index.html', text: page },
      { path: 'sounds.bin', base64 },
    ];
    assert.equal((await agent.call('publish', { files, wait: 0 })).number, 1);

    const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: join(folder, '.config') };
    const child = spawn(process.execPath, [launcher, 'mcp', '--server', service.baseUrl], { env });
    child.stdin.on('error', () => {}).write('x'.repeat(33 * 1024 * 1024));
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.match(
      said,
      /^A call was larger than 32 MiB.*\nStart it again, .* folder in place of its files\.$/mu,
    );
    assert.equal(code, 4);
  });

  it('ends a publish that is cancelled', { timeout: 30_000 }, async () => {
    writeFileSync(join(folder, 'index.html'), page);
    const asked = Promise.withResolvers<ServerResponse>();
    // It never answers: only the end of the call closes the connection.
    const silent = createServer((_request, response) => asked.resolve(response)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await using agent = await start('modern', {}, `http://127.0.0.1:${port}`);
    const cancelling = new AbortController();
    const publishing = agent.client.callTool(
      { name: 'publish', arguments: { folder: '.' } },
      { signal: cancelling.signal },
    );
    const response = await asked.promise;
    cancelling.abort();
    await Promise.all([assert.rejects(publishing), once(response, 'close')]);
    silent.close();
  });

  it('tells a client that asks for progress what is done, until the answer', {
    timeout: 60_000,
  }, async () => {
    writeFileSync(join(folder, 'index.html'), page);
    const letScan = Promise.withResolvers<void>();
    const scanner = await startClamdServer({ until: letScan.promise });
    const scanned = await startService({ environment: { CLAMD: scanner.address } });
    try {
      await using agent = await start('modern', {}, scanned.baseUrl);
      const said: (string | undefined)[] = [];
      const { structuredContent } = await agent.client.callTool(
        { name: 'publish', arguments: { folder: '.' } },
        {
          onprogress: ({ message }) => {
            // The check ends only after the client has heard twice that the call waits for it.
            if (message === 'The safety check runs…' && said.includes(message)) letScan.resolve();
            said.push(message);
          },
        },
      );
      assert.equal(Object(structuredContent).checked, true);
      assert.ok(said.some((message) => message?.startsWith('Reading 1 file, ')));
      assert.ok(said.some((message) => message?.startsWith('Uploading 1 file, ')));
    } finally {
      letScan.resolve();
      await scanned.close();
      await scanner.close();
    }
  });

  it('acts as the signed-in account, and says how to sign in when there is none', async () => {
    await using nobody = await start('modern');
    const error = await nobody.refused('spaces');
    assert.equal(error.code, 'unauthorized');
    assert.match(error.next, /login --start/u);
    assert.equal((await nobody.call('docs')).path, '/llms.txt');

    await using agent = await start('modern', { SPACEPORT_TOKEN: ada.token });
    const files = [{ path: 'index.html', text: page }];
    const made = await agent.call('publish', { files, live: true, wait: 0 });
    await service.settle();
    assert.equal((await agent.call('status', { space: made.space })).status, 'live');
    assert.deepEqual((await agent.call('boards', { space: made.space })).boards, []);
    assert.equal((await agent.call('spaces')).spaces[0].slug, made.space);
    for (const given of [{ version: 'ver_none' }, { space: 'no-such-space' }]) {
      const { code, next } = await agent.refused('status', given);
      assert.match(code, /^not_(found|owner)$/u);
      assert.doesNotMatch(next ?? '', /--space|service\.json/u);
    }
  });
});
