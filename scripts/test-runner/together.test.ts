import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { processorOf } from './outcome.ts';
import { runTogether } from './run-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'spaceport-runner-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs files with these lines in one process, as the runner does. Returns the outcome of each. */
async function run(files: Record<string, string>, quietLimitSeconds = 60) {
  const paths = Object.entries(files).map(([name, lines]) => {
    const path = join(folder, `${name}.test.ts`);
    writeFileSync(path, `import { after, before, beforeEach, describe, it } from 'node:test';\n${lines}`);
    return path;
  });
  const outcomes = await runTogether(paths, {
    environment: process.env,
    mark: randomUUID(),
    testLimitSeconds: 30,
    quietLimitSeconds,
    colour: false,
  });
  return outcomes.map(({ passed, failures }) => ({
    passed,
    failures: failures.map(({ name, reason }) => `${name}: ${reason}`),
  }));
}

/**
 * Runs files that fall silent after the first test of one of them. A busy machine may need longer than the limit before
 * that test, so the limit is doubled then.
 */
async function runUntilSilent(files: Record<string, string>) {
  for (let seconds = 2; ; seconds *= 2) {
    const outcomes = await run(files, seconds);
    if (outcomes.some(({ passed }) => passed > 0) || seconds > 16) return { outcomes, seconds };
  }
}

describe('test files in one process', () => {
  it('are counted separately', async () => {
    const outcomes = await run({
      one: "describe('board', () => { it('ranks', () => {}); it('bans', () => { throw new Error('still there'); }); });",
      two: "it('saves', () => {}); describe('board', () => it('ranks', () => {}));",
    });
    assert.deepEqual(outcomes, [
      { passed: 1, failures: ['board › bans: still there'] },
      { passed: 2, failures: [] },
    ]);
  });

  it('have their own hooks', async () => {
    const outcomes = await run({
      mine: "beforeEach(() => { throw new Error('mine'); }); it('one', () => {});",
      theirs: "it('one', () => {});",
      later: "after(() => { throw new Error('later'); }); it('one', () => {});",
    });
    assert.deepEqual(outcomes, [
      { passed: 0, failures: ['one: mine'] },
      { passed: 1, failures: [] },
      { passed: 1, failures: [': later'] },
    ]);
  });

  it('fail separately when they cannot be loaded or run no test', async () => {
    const outcomes = await run({
      unloadable: "import './nowhere.ts';",
      empty: '',
      whole: "it('one', () => {});",
    });
    assert.match(outcomes[0]?.failures[0] ?? '', /^: .*nowhere/u);
    assert.deepEqual(outcomes.slice(1), [
      { passed: 0, failures: [': It ran no test.'] },
      { passed: 1, failures: [] },
    ]);
  });

  it('that were still running when the process ended have failed, and no others', async () => {
    const { outcomes, seconds } = await runUntilSilent({
      through: "it('one', () => {});",
      hangs: "it('two', () => new Promise(() => setInterval(() => {}, 1_000)));",
    });
    assert.deepEqual(outcomes, [
      { passed: 1, failures: [] },
      { passed: 0, failures: [`: It was ended after ${seconds} s without a sign. Still running: two.`] },
    ]);
  });

  it('fail when they leave something open that keeps the process running', async () => {
    const { outcomes } = await runUntilSilent({
      one: "it('one', () => { setInterval(() => {}, 1_000); });",
      two: "it('two', () => {});",
    });
    assert.equal(outcomes.flatMap(({ failures }) => failures).length, 1);
  });

  it('fail when one of them ends their process', async () => {
    // Results from before the end of the process may not have been reported, so they are not counted.
    const [kills] = await run({
      kills: "it('two', () => process.kill(process.pid, 'SIGKILL'));",
      next: "it('one', () => {});",
    });
    assert.deepEqual(kills, { passed: 0, failures: [': The process ended with a signal.'] });
  });
});

describe('processorOf', () => {
  const reading = (file: string, processorSeconds: number) => ({
    what: 'reading' as const,
    file,
    processorSeconds,
  });

  it('gives each file the time from its begin to that of the next one, and an equal share of the loading', () => {
    const readings = [reading('one', 3), reading('two', 4), reading('three', 9)];
    assert.deepEqual(processorOf(['one', 'two', 'three'], readings, 11), [2, 6, 3]);
  });

  it('gives a file that did not begin its share of the loading', () => {
    assert.deepEqual(processorOf(['one', 'two'], [reading('one', 2)], 7), [6, 1]);
    assert.deepEqual(processorOf(['one', 'two'], [], 4), [2, 2]);
  });
});
