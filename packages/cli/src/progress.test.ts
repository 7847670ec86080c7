import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Output } from './output.ts';
import { ProgressView } from './progress.ts';

test('bars are drawn on a screen only: not on a dumb terminal, and not in a file', async () => {
  for (const [isTTY, TERM, isDrawn] of [
    [true, 'xterm', true],
    [true, 'dumb', false],
    [false, 'xterm', false],
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
    const output = new Output({ out: err, err, in: process.stdin }, false);
    const view = await ProgressView.open({ output, env: { TERM } });
    view.hash({ filesDone: 0, filesTotal: 2, bytesDone: 0, bytesTotal: 9 });
    view.stop();
    assert.equal(told.includes('\u001b['), isDrawn, `${isTTY} ${TERM}`);
  }
});

test('a lost line is told at once, and so is its return', () => {
  let told = '';
  const err = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      told += text;
      done();
    },
  });
  const view = new ProgressView(new Output({ out: err, err, in: process.stdin }, false), null, () => 0);
  const progress = { filesDone: 0, filesTotal: 2, bytesDone: 0, bytesTotal: 9, bytesPerSecond: 0 };
  view.publish({ phase: 'uploading', ...progress });
  view.publish({ phase: 'uploading', ...progress, isLineLost: true });
  view.publish({ phase: 'uploading', ...progress, isLineLost: true });
  view.publish({ phase: 'finishing', ...progress });
  assert.deepEqual(told.trimEnd().split('\n'), [
    'Uploading 2 files, 9 B',
    'The line is gone; it goes on by itself.',
    'The line is back.',
  ]);
});
