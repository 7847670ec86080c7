import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { createVersion, readVersionFiles } from './hosting.ts';
import { mayAnswer } from './may-answer.ts';
import { defineOperation } from './operation.ts';

const operation = defineOperation({
  id: 'look',
  method: 'GET',
  path: '/look',
  summary: 'Looks.',
  tag: 'test',
  credential: 'none',
  edge: 'plain',
  answers: {
    200: z.object({
      state: z.enum(['open', 'shut']),
      list: z.array(z.string()),
      about: z.object({ name: z.string() }).nullable(),
      extra: z.object({ note: z.string().optional() }),
    }),
  },
  errors: [],
});
const whole = { state: 'open', list: ['a'], about: { name: 'A' }, extra: {} };

test('an answer of an older or newer service may have fewer fields, or others, and other words', () => {
  const { extra: _extra, ...older } = whole;
  const newer = { ...whole, state: 'ajar', more: { all: 1 }, list: null, about: { name: 'A', age: 1 } };
  for (const answer of [whole, older, newer, { ...whole, about: null }])
    assert.equal(mayAnswer(operation, answer), true, JSON.stringify(answer));
});

test('other JSON is no answer', () => {
  const others = [null, 'ok', 1, [], {}, { ok: true }, { ...whole, list: {} }, { ...whole, about: 'A' }];
  for (const answer of [...others, { ...whole, about: {} }])
    assert.equal(mayAnswer(operation, answer), false, JSON.stringify(answer));
});

test('each of the answers of an operation is one, and so is an empty object where nothing is required', () => {
  const diff = { added: [], changed: [], removed: [], unchanged: 0 };
  assert.equal(mayAnswer(createVersion, { dryRun: true, diff }), true);
  assert.equal(mayAnswer(createVersion, { version: { id: 'v', number: 1 }, uploads: [] }), true);
  assert.equal(mayAnswer(readVersionFiles, { files: [], fields: {}, declarations: {}, diff }), true);
});
