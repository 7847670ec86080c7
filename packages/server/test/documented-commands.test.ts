import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readCommand } from '../src/command-line.ts';
import { adminCommands } from '../src/commands/admin-commands.ts';
import { settings } from '../src/settings.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = [
  ...globSync('{README.md,docs/**/*.md,packages/cli/README.md}', { cwd: root }),
  ...globSync('deploy/**/{*,.*}', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
].map((path) => [path, read(path)] as const);

/** Variables of other programs: Node, the signer of S3 requests, the S3 server, the command line. */
const ofOthers = new Set([
  'NODE_EXTRA_CA_CERTS',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'ROOT_ACCESS_KEY',
  'ROOT_SECRET_KEY',
  'SPACEPORT_TOKEN',
]);

/** Returns what a pattern finds in the documents: the file and the groups of each. */
const found = (pattern: RegExp) =>
  documents.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(([line, ...groups]) => ({ where: `${path}: ${line}`, groups })),
  );

describe('what the documents tell an operator to run', () => {
  it('are calls of admin that there are, with options that they take', () => {
    const calls = found(/(?:`|-- |worker |\.mjs |run )admin (?:-- )?([a-z][a-z-]*)([^`\n;|]*)/gu);
    assert.ok(calls.length > 20, `${calls.length}`);
    for (const {
      where,
      groups: [name = '', words = ''],
    } of calls) {
      const command = adminCommands[name];
      assert.ok(command || name === 'help', where);
      for (const [, option = ''] of words.matchAll(/--([a-z0-9-]+)/gu))
        assert.ok(command && option in command.options, where);
    }
  });

  it('are scripts of npm that there are, and commands of the server', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const runs = found(/npm run (?:--silent )?([a-z][a-z0-9:]*)/gu);
    assert.ok(runs.length > 20, `${runs.length}`);
    for (const {
      where,
      groups: [name = ''],
    } of runs)
      assert.ok(name in scripts, where);
    for (const {
      where,
      groups: [words = ''],
    } of found(/npm start -- ([a-z]+(?: --[a-z]+)*)/gu))
      assert.doesNotThrow(() => readCommand(words.split(' ')), where);
  });

  it('have settings that there are', () => {
    const guides = new Set(
      ['self-hosting', 'scaling', 'security', 'api-design', 'game-servers'].map((name) => `docs/${name}.md`),
    );
    const named = documents
      .filter(([path]) => guides.has(path))
      .flatMap(([path, text]) =>
        [...text.matchAll(/(?<=[` ])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?=[`=])/gu)].map(
          ([name]) => [path, name] as const,
        ),
      );
    assert.ok(named.length > 100, `${named.length}`);
    for (const [path, name] of named) assert.ok(name in settings || ofOthers.has(name), `${path}: ${name}`);
  });
});
