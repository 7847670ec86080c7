import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

test('the npm package has a module and types that need no other package', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'spaceport-sdk-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', home], { cwd: folder });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  assert.deepEqual(files.map(({ path }: { path: string }) => path).sort(), [
    'dist/global.d.ts',
    'dist/index.d.ts',
    'dist/index.js',
    'dist/made.d.ts',
    'dist/protocol.d.ts',
    'dist/types.d.ts',
    'package.json',
  ]);
  const target = join(home, 'node_modules/@spaceport/sdk');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(home, filename), '-C', target, '--strip-components=1']);
  await writeFile(join(home, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(home, 'game.ts'),
    `import '@spaceport/sdk/global';
import { connect, type Result } from '@spaceport/sdk';
const spaceport = connect('https://arcade.example');
const result: Promise<Result> = spaceport.scores.submit('high', 1);
void result;
void Spaceport.ready();
// @ts-expect-error there is no such event
spaceport.on('never', () => {});
`,
  );
  const flags = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    '',
  ];
  await run(process.execPath, [compiler, ...flags, 'game.ts'], { cwd: home });
  const started = await run(
    process.execPath,
    ['-e', "import('@spaceport/sdk').then(({connect}) => console.log(typeof connect))"],
    { cwd: home },
  );
  assert.equal(started.stdout.trim(), 'function');
});
