import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { askDescription, guessedDescription, noteGuesses, saidOf } from './describe-folder.ts';
import { Output, type Streams } from './output.ts';

/**
 * Returns a terminal at which somebody answers each question with the next of these texts, and its output.
 */
function atTerminal(...typed: string[]) {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
  const [input, err] = [terminal(), terminal()];
  let shown = '';
  err.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    // Text that is typed before a question is ignored, so it is written after the question.
    if (text.endsWith(': ')) setImmediate(() => input.write(`${typed.shift()}\n`));
  });
  // Only these parts of a terminal's streams are used.
  const streams = { in: input, out: terminal(), err } as unknown as Streams;
  return { output: new Output(streams, false), signal: new AbortController().signal, shown: () => shown };
}

const nowhere = (name: string) => ({ folder: `/nowhere/${name}`, settings: {} });

test('asks for title, type and devices, and suggests what it found in the folder', async () => {
  const { output, signal, shown } = atTerminal('Moth', '', 'mobile,desktop');
  const described = await askDescription(output, signal, nowhere('my-moth'), {});
  assert.deepEqual(described, { title: 'Moth', type: 'game', devices: 'mobile,desktop' });
  assert.match(shown(), /Title \[my moth\]: .*Type \(.+\) \[game\]: .*Devices \(.+\) \[desktop\]: /su);
});

test('does not ask for fields that a flag or service.json gives', async () => {
  const { output, signal, shown } = atTerminal('toy');
  const said = saidOf({ settings: { title: 'Moth', devices: ['vr'] } }, { title: 'Night moth' });
  assert.deepEqual(await askDescription(output, signal, nowhere('moth'), said), {
    title: 'Night moth',
    type: 'toy',
    devices: 'vr',
  });
  assert.doesNotMatch(shown(), /Title|Devices/u);
});

test('names a game by the folder above one whose name says nothing', () => {
  const titleAt = (folder: string) => guessedDescription({ folder, settings: {} }, {}).title;
  assert.equal(titleAt('/games/my-moth/docs'), 'my moth');
  assert.equal(titleAt('/games/my-moth/Builds/WebGL'), 'my moth');
  assert.equal(titleAt('/docs'), 'docs');
  assert.equal(titleAt(join(homedir(), 'public')), 'public');
});

test('prints the guessed fields, and nothing when none was guessed', () => {
  const { output, shown } = atTerminal();
  const all = { title: 'A', type: 'toy', devices: 'vr' };
  noteGuesses(output, guessedDescription(nowhere('moth'), all), all);
  assert.equal(shown(), '');
  noteGuesses(output, guessedDescription(nowhere('my-moth'), { type: 'toy' }), { type: 'toy' });
  assert.match(shown(), /“my moth” \(toy; desktop\)/u);
});
