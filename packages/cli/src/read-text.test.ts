import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fakeCli } from '../test/fake-cli.ts';
import { exitCodes } from './exit-codes.ts';

const fake = fakeCli();
const { at, json } = fake;

test('a file in another encoding is refused, and stays as it is', async () => {
  const latin = Buffer.from('{ "title": "Café", "space_type": "game", "devices": ["desktop"] }', 'latin1');
  const wide = Buffer.from('\ufeff{ "boards": [] }', 'utf16le');
  for (const [file, bytes, words, code] of [
    ['game/service.json', latin, ['publish', 'game'], 'invalid_config'],
    ['AGENTS.md', latin, ['init', '--agents'], 'invalid_config'],
    ['boards.json', wide, ['boards', 'put', 'boards.json', '--space', 'a-game'], 'invalid_file'],
  ] as const) {
    writeFileSync(at(file), bytes);
    const { code: exit, document } = await json([...words]);
    assert.deepEqual([exit, document.error.code], [exitCodes.invalid, code]);
    assert.equal(
      document.error.message,
      `${at(file)} cannot be read: it is not in UTF-8. Save it in that encoding.`,
    );
    assert.deepEqual(readFileSync(at(file)), bytes);
  }
  assert.deepEqual(fake.service.creates, []);
});

test('so is stdin in another encoding', async () => {
  const input = Buffer.from('{ "boards": [{ "key": "lap", "title": "Caf\u00e9" }] }', 'latin1');
  const { code, document } = await json(['boards', 'put', '-', '--space', 'a-game'], { input });
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'invalid_file']);
  assert.equal(document.error.message, 'stdin cannot be read: it is not in UTF-8. Save it in that encoding.');
  assert.deepEqual(fake.service.log, []);
});
