import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { killMarked } from './leftovers.ts';
import { closeSeconds, runFile } from './run-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'spaceport-runner-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a file with these lines as the runner does. */
function run(name: string, lines: string[], { quietLimitSeconds = 60, mark = randomUUID() as string } = {}) {
  const file = join(folder, `${name}.test.ts`);
  const head = "import { describe, it } from 'node:test'; import { spawn } from 'node:child_process';";
  writeFileSync(file, [head, ...lines].join('\n'));
  return runFile(file, {
    environment: process.env,
    mark,
    testLimitSeconds: 30,
    quietLimitSeconds,
    colour: false,
  });
}

/**
 * Runs a file that falls silent after its first test. A busy machine may need longer than the limit before that test,
 * so the limit is doubled then.
 */
async function runUntilSilent(name: string, lines: string[]) {
  for (let seconds = 2; ; seconds *= 2) {
    const { passed, failures } = await run(name, lines, { quietLimitSeconds: seconds });
    if (passed > 0 || seconds > 16) return { failures, seconds };
  }
}

const failuresOf = async (...args: Parameters<typeof run>) => (await run(...args)).failures;

describe('a test file run by the runner', () => {
  it('reports each test, with the names and reasons of failed and skipped ones', async () => {
    const outcome = await run('mixed', [
      "describe('board', () => {",
      "  it('ranks', () => {});",
      "  it('bans', () => { throw new Error('still there'); });",
      "  it('syncs', { skip: 'no network' }, () => {});",
      '});',
      "describe('rooms', { skip: 'no browser' }, () => { it('open', () => {}); });",
    ]);
    assert.equal(outcome.passed, 1);
    assert.deepEqual(outcome.failures, [{ name: 'board › bans', reason: 'still there' }]);
    assert.deepEqual(outcome.skips, [
      { name: 'board › syncs', reason: 'no network' },
      { name: 'rooms', reason: 'no browser' },
    ]);
    assert.match(outcome.output, /Error: still there\n\s+at /u);
  });

  it('fails when it cannot be loaded', async () => {
    const [failure] = await failuresOf('unloadable', ["import './nowhere.ts';"]);
    assert.equal(failure?.reason, 'The process ended with 1.');
  });

  it('fails when it runs no test', async () => {
    const [failure] = await failuresOf('empty', []);
    assert.equal(failure?.reason, 'It ran no test.');
  });

  it('fails when its process ends before its tests do', async () => {
    const failures = await failuresOf('exits', [
      "it('one', () => {}); it('two', () => process.kill(process.pid, 'SIGKILL'));",
    ]);
    assert.deepEqual(failures, [{ name: '', reason: 'The process ended with a signal.' }]);
  });

  it('fails when an error is not caught, even while no test waits for it', async () => {
    for (const late of [
      "setTimeout(() => { throw new Error('late'); }, 50)",
      "Promise.reject(new Error('late'))",
    ]) {
      const outcome = await run('uncaught', [
        `it('one', async () => { await null; ${late}; });`,
        "it('two', () => new Promise((done) => setTimeout(done, 200)));",
      ]);
      assert.ok(outcome.failures.length > 0, late);
      assert.match(outcome.output, /late/u);
    }
  });

  it('is ended when nothing happens in it for too long, and says what was running', async () => {
    const hangs = "it('one', () => {}); it('two', () => new Promise(() => setInterval(() => {}, 1_000)));";
    const { failures, seconds } = await runUntilSilent('hangs', [hangs]);
    assert.deepEqual(failures, [
      { name: '', reason: `It was ended after ${seconds} s without a sign. Still running: two.` },
    ]);
  });

  it('is ended when it never yields to the event loop', async () => {
    const failures = await failuresOf('endless', ["it('one', () => { for (;;); });"], {
      quietLimitSeconds: 2,
    });
    assert.match(failures[0]?.reason ?? '', /^It was ended after 2 s /u);
  });

  it('is ended when it leaves a handle open', async () => {
    const { failures } = await runUntilSilent('open', [
      "it('one', () => { setInterval(() => {}, 1_000); });",
    ]);
    assert.match(failures[0]?.reason ?? '', /Still running: no test/u);
  });

  it('leaves no process behind', { skip: process.platform !== 'linux' && 'needs /proc' }, async () => {
    const pidFile = join(folder, 'pid');
    const mark = randomUUID();
    const lines = [
      "import { writeFileSync } from 'node:fs';",
      "it('one', () => {",
      "  const child = spawn('sleep', ['600'], { detached: true, stdio: 'inherit' });",
      `  writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); child.unref();`,
      '});',
    ];
    const { failures } = await run('leaves', lines, { mark });
    assert.deepEqual(failures, []);
    assert.match(readFileSync(pidFile, 'utf8'), /^\d+$/u);
    // A killed process whose parent has not waited for it still has an id, but no environment.
    assert.equal(killMarked(mark), 0);
  });
});

describe('a test file with a child process without its environment', () => {
  it('does not wait for the child, and leaves it not running', async () => {
    const endFile = join(folder, 'end');
    const outcome = await run('bare', [
      "import { writeFileSync } from 'node:fs';",
      `process.on('exit', () => writeFileSync(${JSON.stringify(endFile)}, String(Date.now())));`,
      "it('one', () => spawn('/bin/sleep', ['600'], { env: {}, stdio: 'inherit' }).unref());",
    ]);
    const waited = Date.now() - Number(readFileSync(endFile, 'utf8'));
    assert.deepEqual(outcome.failures, []);
    // The end of the child closed the pipes, not the runner's time limit.
    assert.ok(waited < closeSeconds * 1_000, `${waited} ms`);
  });
});

describe('killMarked', () => {
  it('kills only processes that carry the mark', () => {
    assert.equal(killMarked(randomUUID()), 0);
  });
});
