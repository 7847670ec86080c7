import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fakeCli } from '../test/fake-cli.ts';
import { exitCodes } from './exit-codes.ts';

const fake = fakeCli();
const { at, write, read, useSettings, cli } = fake;
const page = '<!doctype html><title>Moon Hopper</title>';

test('a folder with one page of another name opens with it, and service.json says so', async () => {
  write('export/Moon.html', page);
  write('export/404.html', page);
  write('export/credits/about.html', page);
  const first = await cli(['publish', 'export', '--live']);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /^There is no index\.html: it opens with Moon\.html, the only page\.$/mu);
  assert.match(first.stderr, /as “Moon Hopper” \(game; desktop\)/u);
  assert.equal(fake.service.creates[0]?.entry, 'Moon.html');
  assert.equal(JSON.parse(read('export/service.json')).entry, 'Moon.html');

  write('export/Second.html', page);
  const second = await cli(['publish', 'export', '--live']);
  assert.equal(second.code, 0, second.stderr);
  assert.doesNotMatch(second.stderr, /There is no index/u);
  assert.equal(fake.service.creates[1]?.entry, 'Moon.html');
});

test('init writes the page that opens', async () => {
  write('story/The Cave.html', page);
  assert.equal((await cli(['init', 'story'])).code, 0);
  assert.deepEqual(JSON.parse(read('story/service.json')), {
    $schema: './.spaceport/service.schema.json',
    title: 'Moon Hopper',
    space_type: 'game',
    devices: ['desktop'],
    entry: 'The Cave.html',
  });
});

test('no page is guessed beside another, above an index.html, in a folder, or in place of a named one', async () => {
  write('two/a.html', page);
  write('two/b.html', page);
  write('above/template.html', page);
  write('above/dist/index.html', page);
  write('below/web/moon.html', page);
  for (const folder of ['two', 'above', 'below']) {
    const { code, stderr } = await cli(['publish', folder]);
    assert.equal(code, exitCodes.invalid, folder);
    assert.match(stderr, /^index\.html is the entry and is not in the folder/mu);
    assert.ok(!existsSync(at(`${folder}/service.json`)));
  }
  useSettings({ entry: 'main.html' });
  const { stderr } = await cli(['publish', 'game']);
  assert.match(stderr, /^main\.html is the entry and is not in the folder/mu);
});
