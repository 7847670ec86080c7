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

test('they check a plain script, and one in TypeScript, by themselves', async (t) => {
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
  await writeFile(
    join(home, 'kept.ts'),
    `/// <reference path="sdk.d.ts" />
interface Progress { rounds: number; best?: number; readonly levels: readonly string[] }
const progress: Progress = { rounds: 1, levels: ['a'] };
async function keep() {
  const save = await Spaceport.saves.get('progress');
  const { rounds } = (save?.data ?? progress) as Progress;
  await Spaceport.saves.set('progress', { ...progress, rounds: rounds + 1 } satisfies Progress);
  await Spaceport.saves.set('picture', new Uint8Array(8));
  Spaceport.saves.onConflict(() => progress);
  await Spaceport.scores.submit('high', 1, progress);
  await (await Spaceport.run('high')).submit(1, { meta: progress });
  await Spaceport.content.publish('level', progress);
  const room = await Spaceport.rooms.quick();
  room.send(progress);
  room.set('state', progress);
  room.set('state');
  // @ts-expect-error nothing is no data
  await Spaceport.saves.set('progress');
  // @ts-expect-error JSON has no such number
  await Spaceport.saves.set('progress', 1n);
}
void keep;
`,
  );
  const flags =
    '--ignoreConfig --strict --noEmit --allowJs --target es2022 --module esnext --lib es2022,dom --types';
  await run(process.execPath, [compiler, ...flags.split(' '), '', 'game.js', 'kept.ts'], { cwd: home }).catch(
    ({ stdout }) => assert.fail(stdout),
  );
});
