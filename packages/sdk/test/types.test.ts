import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { typesText } from '../scripts/types-text.ts';

const run = promisify(execFile);
const stored = fileURLToPath(new URL('../../../docs/sdk.d.ts', import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

test('the types that the service serves are those of the module', async () => {
  assert.equal(
    await readFile(stored, 'utf8'),
    typesText(),
    'stale: node packages/sdk/scripts/write-types.ts',
  );
});

test('they check a plain script by themselves', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'spaceport-types-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  await copyFile(stored, join(home, 'sdk.d.ts'));
  await writeFile(
    join(home, 'game.js'),
    `/// <reference path="sdk.d.ts" />
// @ts-check
export {};
await window.Spaceport.ready();
/** @type {Spaceport.Save | null} */
const save = await Spaceport.saves.get('progress');
const { rank, best } = await (await Spaceport.run('high')).submit(1, { meta: { level: save?.version ?? 1 } });
/** @type {number} */
const sum = (rank ?? 0) + best;
const room = await Spaceport.rooms.quick();
room.on('message', (data, from) => room.send([from.length, data instanceof Uint8Array, sum], 'host'));
Spaceport.on('update', ({ version }) => version.toFixed());
Spaceport.content.list('level', { by: 'liked' }).catch(
  (/** @type {Spaceport.SpaceportError} */ { code }) => code === 'rate_limited',
);
// @ts-expect-error there is no such event
Spaceport.on('never', () => {});
// @ts-expect-error a score is a number
Spaceport.scores.submit('high', '1');
`,
  );
  const flags =
    '--ignoreConfig --strict --noEmit --allowJs --target es2022 --module esnext --lib es2022,dom --types';
  await run(process.execPath, [compiler, ...flags.split(' '), '', 'game.js'], { cwd: home }).catch(
    ({ stdout }) => assert.fail(stdout),
  );
});
