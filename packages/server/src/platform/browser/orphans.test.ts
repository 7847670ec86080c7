import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { browserSetting } from '../../../test/browser.ts';

const fixture = fileURLToPath(new URL('./busy-browser.fixture.ts', import.meta.url));
const skip = !existsSync('/proc/self/stat') && 'this system has no /proc to look for processes in';

it('a browser ends when its server is killed', { skip }, async () => {
  const server = spawn(process.execPath, [fixture, browserSetting()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit').then(() => Promise.reject(new Error('it ended by itself')));
  await Promise.race([once(createInterface(server.stdout), 'line'), ended]);
  ended.catch(() => {});
  const browser = groupsOfChildren(Number(server.pid));
  assert.equal(browser.length, 1);
  server.kill('SIGKILL');
  await once(server, 'exit');
  const deadline = Date.now() + 15_000;
  while (browser.some(isAlive)) {
    assert.ok(Date.now() < deadline, 'the browser lives on');
    await pause(50);
  }
});

/** The process groups that are led by children of a process, as browsers do. */
function groupsOfChildren(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentAndGroup(pid).join() === `${parent},${pid}`);
}

function parentAndGroup(pid: number): [parent: number, group: number] {
  try {
    const [, parent, group] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /su, '')
      .split(' ');
    return [Number(parent), Number(group)];
  } catch {
    return [0, 0];
  }
}

function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
