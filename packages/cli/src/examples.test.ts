import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import type { Command } from 'commander';
import { fakeCli } from '../test/fake-cli.ts';
import { examples } from './examples.ts';
import { buildProgram } from './main.ts';
import { Output } from './output.ts';

const { cli } = fakeCli();

/** Returns the program, whose commands only say that they would run. */
function program(onRun: () => void): Command {
  const nothing = new Writable({ write: (_text, _encoding, done) => done() });
  const output = new Output({ out: nothing, err: nothing, in: Readable.from([]) }, false);
  return buildProgram([], output, async () => onRun());
}

function namesOf(command: Command, above = ''): string[] {
  return command.commands.flatMap((each) => {
    const name = above + each.name();
    return each.commands.length > 0 ? namesOf(each, `${name} `) : [name];
  });
}

test('every command has examples, and no example is of a command that there is not', () => {
  assert.deepEqual(Object.keys(examples).sort(), namesOf(program(() => {})).sort());
});

test('every example is a command line', async () => {
  for (const [name, lines] of Object.entries(examples)) {
    for (const line of lines) {
      const [typed = ''] = line.split(/ [<>] /u);
      const words = (typed.match(/'[^']*'|\S+/gu) ?? []).map((word) => word.replaceAll("'", ''));
      assert.ok(line.startsWith(name), line);
      let runs = 0;
      await program(() => runs++).parseAsync(words, { from: 'user' });
      assert.equal(runs, 1, line);
    }
  }
});

test('the help of a command ends with its examples, as they are typed', async () => {
  const { code, stdout } = await cli(['boards', 'put', '--help']);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /\n\nExamples:\n {2}spaceport boards put\n {2}spaceport boards put boards\.json --space moon-hopper\n$/u,
  );
});
