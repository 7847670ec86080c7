import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { test } from 'node:test';
import { launcher, surroundings } from './run-cli.ts';
import { terminals } from './terminal.ts';

const [, real] = terminals;

/** Returns what a terminal is sent while it runs this line, in which `cli` is the command. */
function shown(line: string, env: Record<string, string> = {}): string {
  const command = line.replace('cli', `'${process.execPath}' '${launcher}'`);
  return execFileSync('script', ['--quiet', '--flush', '--command', command, '/dev/null'], {
    encoding: 'utf8',
    env: {
      ...surroundings({ cwd: tmpdir(), env: { SPACEPORT_SERVER: 'http://127.0.0.1:1', ...env } }),
      TERM: 'xterm',
      SHELL: '/bin/sh',
    },
  });
}

test('an error is red on a terminal, also where the result goes elsewhere, unless nobody wants colours', {
  skip: real?.skip ?? true,
}, () => {
  const red = '\u001b[31mYou are not signed in';
  assert.ok(shown('cli spaces').includes(red));
  assert.ok(shown('cli spaces > /dev/null').includes(red));
  assert.ok(!shown('cli spaces', { NO_COLOR: '1' }).includes('\u001b'));
  assert.ok(!shown('cli spaces 2>&1 | cat', { FORCE_COLOR: '' }).includes('\u001b'));
});
