import assert from 'node:assert/strict';
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fakeCli } from '../test/fake-cli.ts';
import { launcher, surroundings } from '../test/run-cli.ts';
import { exitCodes } from './exit-codes.ts';

const fake = fakeCli();
/** A file of Linux that takes nothing, as a file on a full disk. */
const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : null;

test('an output that cannot be written is told, and notes that cannot be are no reason to end', {
  skip: full === null && 'this machine has no /dev/full',
}, async () => {
  const env = surroundings({
    cwd: fake.at('.'),
    env: { SPACEPORT_SERVER: fake.service.baseUrl, SPACEPORT_TOKEN: fake.service.token },
  });
  const start = (stdio: StdioOptions) =>
    spawn(process.execPath, [launcher, 'publish', 'game', '--title', 'Drift'], {
      cwd: fake.at('.'),
      env,
      stdio,
    });
  const said = async (stream: Readable | null) => (stream === null ? '' : text(stream));
  const untold = start(['ignore', 'pipe', full ?? 'ignore']);
  const [printed, [code]] = await Promise.all([said(untold.stdout), once(untold, 'exit')]);
  assert.equal(code, 0);
  assert.match(printed, /^Preview: version 1 of a-game/u);

  const unsaid = start(['ignore', full ?? 'ignore', 'pipe']);
  const [told, [failed]] = await Promise.all([said(unsaid.stderr), once(unsaid, 'exit')]);
  assert.equal(failed, exitCodes.unexpected);
  assert.match(told, /^The output cannot be written: ENOSPC[^\n]*\n$/mu);
  assert.doesNotMatch(told, /^ {4}at /mu);
});

test('in a folder that was deleted meanwhile, a command says so or needs none', {
  skip: process.platform === 'win32' && 'Windows deletes no folder in which a process is',
}, async () => {
  const gone = fake.at('gone');
  const inGone = async (words: string) => {
    fake.write('gone/index.html', '');
    const child = spawn(
      '/bin/sh',
      ['-c', `cd gone && rm -r ../gone && exec "$0" "$1" ${words}`, process.execPath, launcher],
      {
        cwd: fake.at('.'),
        env: surroundings({ cwd: fake.at('.') }),
      },
    );
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code, stderr };
  };
  assert.deepEqual(await inGone('--version'), { code: 0, stderr: '' });
  const { code, stderr } = await inGone('versions');
  assert.equal(code, exitCodes.invalid, stderr);
  assert.ok(stderr.startsWith(`There is no folder ${gone}.`), stderr);
});
