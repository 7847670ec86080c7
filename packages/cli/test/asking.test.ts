import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { exitCodes } from '../src/exit-codes.ts';
import { fakeCli } from './fake-cli.ts';
import { runAtTerminal, type Typing, terminals } from './terminal.ts';

const enter = '\r';
const ctrlC = '\u0003';
const ctrlD = '\u0004';

/**
 * Publishes a folder without service.json at a terminal. The command is a process of its own, and its whole
 * screen is checked.
 */
for (const { name, start, skip } of terminals)
  describe(`publishing a bare folder at a terminal: ${name}`, { skip }, () => {
    const fake = fakeCli();
    const publish = (typings: readonly Typing[], ...flags: string[]) =>
      runAtTerminal(
        start,
        ['publish', 'game', ...flags],
        {
          cwd: fake.at('.'),
          env: { SPACEPORT_SERVER: fake.service.baseUrl, SPACEPORT_TOKEN: fake.service.token },
        },
        typings,
      );
    const title = /Title \[Drift & Dive\]: $/u;
    const type = /Type \(game, app, .+\) \[game\]: $/u;
    const devices = /Devices \(desktop, .+\) \[desktop\]: $/u;

    test('asks for title, type and devices, and publishes with the answers', async () => {
      const { code, screen } = await publish([
        { after: title, keys: `Drift${enter}` },
        { after: type, keys: enter },
        { after: devices, keys: `mobile,desktop${enter}` },
      ]);
      assert.equal(code, 0, screen);
      assert.deepEqual(fake.service.creates[0]?.fields, {
        title: 'Drift',
        space_type: 'game',
        devices: ['mobile', 'desktop'],
      });
      assert.match(fake.read('game/service.json'), /"title": "Drift"/u);
      assert.match(screen, /Preview: version 1 of a-game/u);
    });

    test('asks again after an invalid answer, and does not ask for what a flag gives', async () => {
      const { code, screen } = await publish(
        [
          { after: type, keys: `a game${enter}` },
          { after: type, keys: `toy${enter}` },
          { after: devices, keys: enter },
        ],
        '--title',
        'Drift',
      );
      assert.equal(code, 0, screen);
      assert.doesNotMatch(screen, /Title \[/u);
      assert.equal(Object(fake.service.creates[0]?.fields).space_type, 'toy');
    });

    test('asks nothing in CI, which may have a terminal, but nobody at it', async () => {
      const env = { SPACEPORT_SERVER: fake.service.baseUrl, SPACEPORT_TOKEN: fake.service.token, CI: 'true' };
      const { code, screen } = await runAtTerminal(
        start,
        ['publish', 'game'],
        { cwd: fake.at('.'), env },
        [],
      );
      assert.equal(code, 0, screen);
      assert.match(screen, /It will be published as “Drift & Dive” \(game; desktop\)/u);
      assert.doesNotMatch(screen, /Title/u);
      const words = ['offline', '--space', 'a-game'];
      const unsure = await runAtTerminal(start, words, { cwd: fake.at('.'), env }, []);
      assert.equal(unsure.code, exitCodes.usage, unsure.screen);
      assert.match(unsure.screen, /run it with --yes/u);
    });

    test('publishes nothing after Ctrl-C or the end of input', async () => {
      for (const keys of start === terminals[0]?.start ? [null] : [ctrlC, ctrlD]) {
        const { code, screen } = await publish([
          { after: title, keys: `Drift${enter}` },
          { after: type, keys },
        ]);
        assert.equal(code, exitCodes.interrupted, screen);
        assert.match(screen, keys === ctrlC ? /Interrupted\./u : /The question was not answered\./u);
      }
      assert.deepEqual(fake.service.creates, []);
      assert.ok(!existsSync(fake.at('game/service.json')));
    });
  });
