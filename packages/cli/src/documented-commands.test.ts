import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCli } from '../test/run-cli.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const documents = globSync('{README.md,docs/**/*.md,packages/cli/README.md,examples/**/*.{md,yml}}', {
  cwd: root,
}).map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

/** A command line in a document: of the served package, or in backquotes as of a checkout. */
const commandLine = /(?:cli\.tgz"?|\$cli) ([a-z][^`\n#|>]+)|`spaceport ([^`]+)`/gu;
const longOption = /(?<![\w-])--[a-z][a-z-]+/gu;

/** Returns the names below «Commands:» in a help. */
const commandsIn = (help: string) =>
  [...(help.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gmu)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');

describe('the commands in the documents', () => {
  /** The help of each command, by its words. */
  const helps = new Map<string, string>();
  before(async () => {
    const helpOf = async (...words: string[]) =>
      (await runCli([...words, '--help'], { cwd: tmpdir() })).stdout;
    for (const name of commandsIn(await helpOf())) {
      const help = await helpOf(name);
      const inner = commandsIn(help);
      if (inner.length === 0) helps.set(name, help);
      for (const each of inner) helps.set(`${name} ${each}`, await helpOf(name, each));
    }
    assert.ok(helps.size > 40, `${helps.size}`);
  });

  it('exist, with their options', () => {
    let lines = 0;
    for (const [path, text] of documents)
      for (const [line, ofService, ofCheckout] of text.matchAll(commandLine)) {
        const words = (ofService ?? ofCheckout ?? '').trim().split(/\s+/u);
        const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => helps.has(each));
        const isGroup = [...helps.keys()].some((each) => each.startsWith(`${words[0]} `));
        assert.ok(name !== undefined || (isGroup && words.length === 1), `${path}: ${line}`);
        for (const [option] of words.join(' ').matchAll(longOption))
          assert.ok(name && helps.get(name)?.includes(option), `${path}: ${line}: ${option}`);
        lines++;
      }
    assert.ok(lines > 50, `${lines}`);
  });

  it('are all in the README of the command line, with all of their options', () => {
    const [, readme = ''] = documents.find(([path]) => path === 'packages/cli/README.md') ?? [];
    for (const [name, help] of helps) {
      assert.match(readme, new RegExp(`\`${name}(?=[\` ])`, 'u'), name);
      for (const [option] of help.matchAll(longOption))
        if (option !== '--help') assert.ok(readme.includes(option), `${name} ${option}`);
    }
  });
});
