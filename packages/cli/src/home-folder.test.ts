import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { configPath } from './config.ts';

/** Returns the home folder that a process with this environment finds. */
function homeIn(env: Record<string, string>, uid?: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-home-'));
  try {
    const code = `console.log((await import('${new URL('./home-folder.ts', import.meta.url)}')).homeFolder())`;
    const args = ['--input-type=module', '-e', code];
    const whoever = uid === undefined ? {} : { uid, gid: uid };
    return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder, env, ...whoever }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('an empty HOME does not make the current folder the home', () => {
  assert.ok(isAbsolute(homeIn({ HOME: '' })));
  assert.ok(isAbsolute(homeIn({ HOME: 'here' })));
  assert.equal(homeIn({ HOME: '/home/ada' }), '/home/ada');
});

test('settings are not below the current folder: a relative XDG_CONFIG_HOME is ignored', () => {
  assert.equal(configPath({ XDG_CONFIG_HOME: '.config' }), configPath({}));
  assert.ok(isAbsolute(configPath({})));
});

test('a user whom the system does not know has the root for a home', {
  skip: process.getuid?.() !== 0 && 'only root can be somebody else',
}, () => {
  // As in a container that is started with a random id.
  assert.equal(homeIn({}, 54_321), '/');
});
