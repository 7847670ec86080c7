import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { serviceJsonSchemaText } from '@spaceport/contract/service-json';
import { insertSpace } from './insert-space.ts';

test('the JSON schema is up to date (node packages/cli/scripts/write-schema.ts)', () => {
  // Compares values, because the formatter changes the file's layout.
  const stored = readFileSync(new URL('../service.schema.json', import.meta.url), 'utf8');
  assert.deepEqual(JSON.parse(stored), JSON.parse(serviceJsonSchemaText()));
});

test('every field of the JSON schema says what it is for', () => {
  const { properties } = JSON.parse(serviceJsonSchemaText());
  for (const [name, schema] of Object.entries(properties)) {
    assert.ok((schema as { description?: string }).description, name);
  }
});

test('the JSON schema has the limits of a space, not those of a request', () => {
  const { properties } = JSON.parse(serviceJsonSchemaText());
  const limits = ['boards', 'stats', 'achievements'].map((name) => properties[name].maxItems);
  assert.deepEqual(limits, [10, 50, 50]);
});

for (const [name, before, after] of [
  ['first', '{\n\t"title": "A"\n}\n', '{\n\t"space": "s",\n\t"title": "A"\n}\n'],
  ['on one line', '{ "title": "A" }', '{ "space": "s", "title": "A" }'],
  ['without spaces', '{"title":"A"}', '{"space": "s", "title":"A"}'],
  [
    'after $schema',
    '{\r\n  "$schema": "x",\r\n  "title": "A"\r\n}',
    '{\r\n  "$schema": "x",\r\n  "space": "s",\r\n  "title": "A"\r\n}',
  ],
  ['into an empty object', '{}', '{\n  "space": "s"\n}\n'],
  ['before $schema alone', '{ "$schema": "x" }', '{ "space": "s", "$schema": "x" }'],
] as const) {
  test(`the slug is inserted ${name}, and the rest of the text does not change`, () => {
    assert.equal(insertSpace(before, 's'), after);
  });
}
