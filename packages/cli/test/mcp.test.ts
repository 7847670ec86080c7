import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
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

  const start = (era: Era, env: Record<string, string> = {}): Promise<McpClient> =>
    useMcp(clientOf(era), (client) =>
      client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [launcher, 'mcp', '--server', service.baseUrl],
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
