import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { confirm, confirmSpace } from './confirm.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Output, type Streams } from './output.ts';

/** Returns the output of a terminal at which somebody types this. */
function atTerminal(typed: string, { json = false, notesAreRead = true } = {}) {
  const terminal = (isTTY = true) => Object.assign(new PassThrough(), { isTTY });
  const [input, err] = [terminal(), terminal(notesAreRead)];
  let shown = '';
  err.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  // Only these parts of a terminal's streams are used.
  const streams = { in: input, out: terminal(), err } as unknown as Streams;
  const context: Context = {
    env: {},
    cwd: '/',
    output: new Output(streams, json),
    signal: new AbortController().signal,
    serverFlag: undefined,
  };
  input.write(typed);
  return { context, shown: () => shown };
}

test('a person is asked once, and only “yes” confirms', async () => {
  const sure = atTerminal('yes\n');
  await confirm(sure.context, 'This deletes all.', {});
  assert.match(sure.shown(), /This deletes all\. Go on\? \(yes, no\) \[no\]: /u);
  for (const typed of ['no\n', '\n']) {
    const unsure = atTerminal(typed);
    await assert.rejects(confirm(unsure.context, 'This deletes all.', {}), {
      code: 'not_confirmed',
      exitCode: exitCodes.interrupted,
    });
  }
});

test('--yes skips the question, and --json fails without it', async () => {
  const given = atTerminal('');
  await confirm(given.context, 'This deletes all.', { yes: true });
  assert.equal(given.shown(), '');
  const script = atTerminal('yes\n', { json: true });
  await assert.rejects(confirm(script.context, 'This deletes all.', {}), { exitCode: exitCodes.usage });
  assert.equal(script.shown(), '');
});

test('nobody is asked where the question would go into a file', async () => {
  const unseen = atTerminal('yes\n', { notesAreRead: false });
  await assert.rejects(confirm(unseen.context, 'This deletes all.', {}), { exitCode: exitCodes.usage });
  assert.equal(unseen.shown(), '');
});

test('a person confirms by typing the slug of the space', async () => {
  const sure = atTerminal('moon-hopper\n');
  await confirmSpace(sure.context, 'This deletes moon-hopper.', 'moon-hopper', {});
  assert.match(sure.shown(), /This deletes moon-hopper\. If so, type its slug, moon-hopper \[no\]: /u);
  for (const typed of ['yes\n', '\n', 'moon-hoppers\n'])
    await assert.rejects(confirmSpace(atTerminal(typed).context, 'This deletes it.', 'moon-hopper', {}), {
      code: 'not_confirmed',
      exitCode: exitCodes.interrupted,
    });
});
