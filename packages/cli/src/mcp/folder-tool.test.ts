import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, it } from 'node:test';
import { callTool } from '@spaceport/contract/mcp/call-tool';
import { publishTool } from '@spaceport/contract/mcp/publish';
import { fail } from '../../../client/test/fake-answers.ts';
import { fakeCli } from '../../test/fake-cli.ts';
import { Output } from '../output.ts';
import { folderTool, type Publishing } from './folder-tool.ts';
import { notesTo } from './notes.ts';
import { Publishes } from './publishes.ts';
import { toolHost } from './tool-host.ts';

describe('the tool publish of spaceport mcp', () => {
  const fake = fakeCli();
  let publishes: Publishing['publishes'];
  let isBusy: boolean;
  beforeEach(() => {
    publishes = new Publishes();
    isBusy = true;
    // Its version waits for the check of others until the test lets it go.
    fake.service.intercept = (_method, path) =>
      isBusy && path.endsWith('/finish')
        ? fail(429, 'checks_busy', 'Several of your versions wait.', { 'retry-after': '0.01' })
        : null;
  });

  const signals: AbortSignal[] = [];
  const contextFor: Publishing['contextFor'] = (signal, say) => {
    signals.push(signal);
    const notes = notesTo(new PassThrough().resume(), say);
    const streams = { out: notes, err: notes, in: new PassThrough() };
    return {
      env: { SPACEPORT_TOKEN: fake.service.token, XDG_CONFIG_HOME: fake.at('.config') },
      cwd: fake.at('.'),
      output: new Output(streams, true),
      signal,
      serverFlag: fake.service.baseUrl,
    };
  };

  /** Calls the tool as one of a client that waits for so long. */
  async function call(args: object, answerMs = 60_000, more: Partial<Publishing> = {}) {
    const given = { publishes, contextFor, signal: AbortSignal.any([]), say: () => {}, answerMs, ...more };
    const tool = folderTool(publishTool, given);
    const host = toolHost(contextFor(given.signal, given.say));
    const { structuredContent } = await callTool([tool], { name: 'publish', arguments: args }, host);
    // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it looks at
    return structuredContent as any;
  }
  const creates = () => fake.service.creates.length;
  const finished = () => fake.service.log.filter((line) => line.endsWith('/finish')).length;
  const untilBusy = async () => {
    while (finished() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('answers in time that the publish goes on, and publishes it once', async () => {
    fake.useSettings();
    const given = { folder: 'game', live: true };
    const first = await call(given, 1);
    assert.deepEqual([first.status, first.checked, first.error], ['uploading', false, undefined]);
    assert.match(first.next, /goes on here.*: call publish again with the same input/u);
    await untilBusy();
    const second = await call(given, 1);
    assert.match(second.next, /\(Several of your versions wait for their check/u);
    isBusy = false;
    const third = await call(given);
    assert.deepEqual([third.status, third.number, creates()], ['live', 1, 1]);
    // The end was told: who publishes again wants the next version.
    assert.equal((await call(given)).number, 2);
  });

  it('publishes what has changed meanwhile, after what goes on', async () => {
    fake.useSettings({ space: 'a-game' });
    const given = { folder: 'game' };
    assert.equal((await call(given, 1)).status, 'uploading');
    await untilBusy();
    fake.write('game/a.js', 'play(2)');
    isBusy = false;
    assert.deepEqual([(await call(given)).number, creates()], [2, 2]);
  });

  it('takes up the publish of a process that has ended', async () => {
    fake.useSettings({ space: 'a-game' });
    const given = { folder: 'game', live: true };
    await call(given, 1);
    await untilBusy();
    publishes.close();
    publishes = new Publishes();
    isBusy = false;
    assert.deepEqual([(await call(given)).status, creates()], ['live', 1]);
  });

  it('tells the next call of an error that no call has heard of, and then tries again', async () => {
    fake.useSettings();
    fake.service.intercept = (_method, path) =>
      path.endsWith('/finish') && isBusy ? fail(403, 'not_owner', 'That space is not yours.') : null;
    const given = { folder: 'game' };
    await call(given, 1);
    await untilBusy();
    assert.equal((await call(given)).error.code, 'not_owner');
    isBusy = false;
    assert.deepEqual([(await call(given)).status, creates()], ['preview', 1]);
  });

  it('lets calls at the same time have one version', async () => {
    fake.useSettings();
    const calls = [call({ folder: 'game' }), call({ folder: 'game' }), call({ folder: 'game' })];
    await untilBusy();
    isBusy = false;
    const versions = (await Promise.all(calls)).map(({ number }) => number);
    assert.deepEqual([versions, creates()], [[1, 1, 1], 1]);
  });

  it('ends with a call that is cancelled, but not with one that its client gave up in its time', async () => {
    fake.useSettings();
    const given = { folder: 'game' };
    const giveUp = async (reason: unknown) => {
      const { signal, abort } = controlOf();
      const asked = finished();
      const calling = call(given, 60_000, { signal });
      while (finished() === asked) await new Promise((resolve) => setTimeout(resolve, 5));
      abort(reason);
      await assert.rejects(calling);
    };
    await giveUp('the person has pressed Escape');
    assert.equal(signals.at(-1)?.aborted, true);
    await giveUp('McpError: MCP error -32001: Request timed out');
    const asked = finished();
    while (finished() === asked) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(signals.at(-1)?.aborted, false);
    const joined = call(given);
    isBusy = false;
    assert.deepEqual([(await joined).number, creates()], [1, 1]);
  });
});

function controlOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}
