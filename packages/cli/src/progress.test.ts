import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Output } from './output.ts';
import { ProgressView } from './progress.ts';

test('bars are drawn on a screen only: not on a dumb terminal, in CI or in a file', async () => {
  for (const [isTTY, env, isDrawn] of [
    [true, { TERM: 'xterm' }, true],
    [true, { TERM: 'xterm', CI: 'false' }, true],
    [true, { TERM: 'xterm', CI: 'true' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, { TERM: 'xterm' }, false],
  ] as const) {
    let told = '';
    const sink = new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        told += text;
        done();
      },
    });
    const err = Object.assign(sink, { isTTY, cursorTo: () => sink.write('\u001b[1G'), columns: 80 });
    const output = new Output({ out: err, err, in: process.stdin }, false, env);
    const view = await ProgressView.open({ output, env });
    view.hash({ filesDone: 0, filesTotal: 2, bytesDone: 0, bytesTotal: 9 });
    view.stop();
    assert.equal(told.includes('\u001b['), isDrawn, `${isTTY} ${JSON.stringify(env)}`);
  }
});

/** A view without a terminal, and what it has told so far. */
function listened(now = () => 0) {
  let told = '';
  const err = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      told += text;
      done();
    },
  });
  const view = new ProgressView(new Output({ out: err, err, in: process.stdin }, false), null, now);
  return { view, told: () => told };
}

test('a lost line is told at once, and so is its return', () => {
  const { view, told } = listened();
  const progress = { filesDone: 0, filesTotal: 2, bytesDone: 0, bytesTotal: 9, bytesPerSecond: 0 };
  view.publish({ phase: 'uploading', ...progress });
  view.publish({ phase: 'uploading', ...progress, isLineLost: true });
  view.publish({ phase: 'uploading', ...progress, isLineLost: true });
  view.publish({ phase: 'finishing', ...progress });
  assert.deepEqual(told().trimEnd().split('\n'), [
    'Uploading 2 files, 9 B',
    'The line is gone; it goes on by itself.',
    'The line is back.',
  ]);
});

test('an upload from which nothing is heard is told, once until it goes on', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { view, told } = listened();
  const progress = { filesDone: 0, filesTotal: 2, bytesDone: 0, bytesTotal: 9, bytesPerSecond: 0 };
  const silence = /Nothing was heard for 15 s: .*/gu;
  const times = () => [...told().matchAll(silence)].length;
  view.publish({ phase: 'uploading', ...progress });
  mock.timers.tick(14_000);
  view.publish({ phase: 'uploading', ...progress });
  mock.timers.tick(14_000);
  assert.equal(times(), 0);
  mock.timers.tick(60_000);
  assert.equal(times(), 1);
  view.publish({ phase: 'uploading', ...progress });
  mock.timers.tick(15_000);
  assert.equal(times(), 2);
  // What is known to be lost was told already, and other phases tell of their own calls.
  view.publish({ phase: 'uploading', ...progress, isLineLost: true });
  mock.timers.tick(60_000);
  view.publish({ phase: 'finishing', ...progress });
  mock.timers.tick(60_000);
  view.publish({ phase: 'uploading', ...progress });
  view.stop();
  mock.timers.tick(60_000);
  assert.equal(times(), 2);
});

test('a line on which each piece takes long is told to be slow once', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  const { view, told } = listened(() => nowMs);
  for (let bytesDone = 0; bytesDone < 9; bytesDone++) {
    view.publish({
      phase: 'uploading',
      filesDone: 0,
      filesTotal: 1,
      bytesDone,
      bytesTotal: 9,
      bytesPerSecond: 0,
    });
    nowMs += 50_000;
    mock.timers.tick(50_000);
  }
  view.stop();
  assert.equal([...told().matchAll(/Nothing was heard/gu)].length, 1);
});
