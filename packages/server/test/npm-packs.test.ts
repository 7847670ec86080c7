import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oldestNode } from './oldest-node.ts';
import { type Persona, startService, type TestService } from './service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const require = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`));

// The test makes three builds, which take long on a busy machine.
const timeout = 600_000;

describe('the packages that npm packs, in an empty folder', { timeout }, () => {
  let service: TestService;
  let ada: Persona;
  let home: string;
  const node = oldestNode();

  before(
    async () => {
      service = await startService();
      ada = await service.creator('ada');
      home = mkdtempSync(join(tmpdir(), 'spaceport-packs-'));
      const packs = await packAll(join(home, 'checkout'), join(home, 'packs'));
      mkdirSync(join(home, 'use/dist'), { recursive: true });
      writeFileSync(join(home, 'use/package.json'), '{ "type": "module" }');
      writeFileSync(join(home, 'use/dist/index.html'), '<!doctype html><title>Packed</title>');
      // No registry is asked: the packages contain everything but their dependencies, which are copied here.
      cpSync(folderOf('zod'), join(home, 'use/node_modules/zod'), { recursive: true });
      await npm(join(home, 'use'), 'install', '--offline', '--no-audit', '--no-fund', '--no-save', ...packs);
    },
    { timeout },
  );
  after(async () => {
    rmSync(home, { recursive: true, force: true });
    await service.close();
  });

  function npm(cwd: string, ...words: string[]) {
    const { npm_config_prefix: _, ...env } = process.env;
    return run('npm', words, { cwd, env: { ...env, npm_config_cache: join(home, 'npm-cache') } });
  }

  /**
   * Packs a copy of the checkout: packing replaces package.json for a moment, and other tests may read it
   * meanwhile.
   */
  async function packAll(checkout: string, packs: string): Promise<string[]> {
    mkdirSync(packs, { recursive: true });
    for (const name of ['contract', 'client', 'cli'])
      cpSync(join(root, 'packages', name), join(checkout, 'packages', name), {
        recursive: true,
        filter: (path) => !['node_modules', 'dist', 'test'].includes(basename(path)),
      });
    cpSync(join(root, 'scripts/package'), join(checkout, 'scripts/package'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    const folders = ['contract', 'client', 'cli'].map((name) => join(checkout, 'packages', name));
    return Promise.all(
      folders.map(async (folder) => {
        const { stdout } = await npm(folder, 'pack', '--silent', '--pack-destination', packs);
        assert.ok(!existsSync(join(folder, 'package.json.unpacked')), folder);
        return join(packs, stdout.trim().split('\n').at(-1) ?? '');
      }),
    );
  }

  const start = (...words: string[]) =>
    run(node.path, words, {
      cwd: join(home, 'use'),
      env: { PATH: '', HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
    });

  it('include a client that publishes a folder, in JavaScript that the oldest supported Node runs', async (t) => {
    t.diagnostic(`run with Node ${node.version}`);
    writeFileSync(
      join(home, 'use/publish.js'),
      `import { createClient } from '@spaceport/client/client';
import { folderSource } from '@spaceport/client/node/folder-source';
import { publish } from '@spaceport/client/publish';
const [, , baseUrl, token] = process.argv;
const details = { fields: { title: 'Packed', space_type: 'game', devices: ['desktop'] } };
const source = await folderSource('dist', { projectFolder: '.', required: ['index.html'] });
const { pageUrl } = await publish(createClient({ baseUrl, token }), { source, details, live: true });
console.log(pageUrl);
`,
    );
    const { stdout } = await start('publish.js', service.baseUrl, ada.token);
    assert.equal(stdout.trim(), `${service.baseUrl}/s/packed`);
    assert.equal((await service.get(stdout.trim())).status, 200);
  });

  it('include a command line that publishes, and has no service until it is given one', async () => {
    const command = 'node_modules/@spaceport/cli/dist/start.mjs';
    assert.match((await start(command, '--version')).stdout, /^\d+\.\d+\.\d+/u);
    const { stdout } = await start(
      command,
      'publish',
      'dist',
      '--anonymous',
      '--json',
      '--server',
      service.baseUrl,
    );
    assert.ok(JSON.parse(stdout).pageUrl.startsWith(`${service.baseUrl}/s/`), stdout);
  });

  it('include a contract that parses with its schemas', async () => {
    writeFileSync(
      join(home, 'use/look.js'),
      `import { operations } from '@spaceport/contract/operations';
import { spaceFieldsSchema } from '@spaceport/contract/spaces';
console.log(operations.length, spaceFieldsSchema.safeParse({}).success);
`,
    );
    assert.match((await start('look.js')).stdout, /^\d+ false\n$/u);
  });

  it('have types that a strict compiler accepts', async () => {
    writeFileSync(
      join(home, 'use/use.ts'),
      `import { type Client, createClient } from '@spaceport/client/client';
import { createGameServer } from '@spaceport/client/game-server';
import type { Board } from '@spaceport/contract/boards';
const client: Client = createClient({ baseUrl: 'https://games.example' });
const { boards } = await client.readBoards({ params: { slug: 'moon-hopper' } });
const first: Board | undefined = boards[0];
void first;
void createGameServer({ baseUrl: 'https://games.example', secret: 'x' });
// @ts-expect-error there is no such operation
void client.never();
`,
    );
    // What the documentation shows has to compile as it stands.
    const page = readFileSync(join(root, 'docs/game-servers.md'), 'utf8');
    const shown = /```ts\n(.*?)```/su.exec(page)?.[1];
    const inNode = 'declare const process: { env: Record<string, string | undefined> };';
    writeFileSync(join(home, 'use/shown.ts'), `${inNode}\n${shown}`);
    const flags =
      '--ignoreConfig --strict --noEmit --target es2022 --module nodenext --skipLibCheck --types'.split(' ');
    const compiler = join(folderOf('typescript'), 'bin/tsc');
    await run(process.execPath, [compiler, ...flags, '', 'use.ts', 'shown.ts'], { cwd: join(home, 'use') });
  });
});
