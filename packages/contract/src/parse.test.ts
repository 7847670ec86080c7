import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { createVersion } from './hosting.ts';
import { nearest } from './known-fields.ts';
import { operations } from './operations.ts';
import { issueOf, parseWith } from './parse.ts';
import { digits, webUrl } from './primitives.ts';
import { postScores } from './server-calls.ts';

function issuesOf(schema: z.ZodType, value: unknown): Record<string, string> {
  const parsed = parseWith(schema, value);
  assert.equal(parsed.success, false);
  return Object.fromEntries(
    (parsed.success ? [] : parsed.problems).map(issueOf).map(({ path, message }) => [path, message]),
  );
}

describe('the problems of a value', () => {
  it('are told in our own words, once for each field, whatever is sent to any operation', () => {
    const bodies = operations.flatMap((operation) =>
      'body' in operation && operation.body ? [operation.body] : [],
    );
    const names = fc.constantFrom(
      'fields',
      'files',
      'boards',
      'key',
      'title',
      'handle',
      'score',
      'url',
      'nothing',
    );
    const value = fc.oneof(
      fc.anything(),
      fc.dictionary(names, fc.oneof(fc.anything(), fc.dictionary(names, fc.anything()))),
    );
    fc.assert(
      fc.property(fc.constantFrom<z.ZodType>(...bodies), value, (schema, sent) => {
        const parsed = parseWith(schema, sent);
        if (parsed.success) return;
        const issues = parsed.problems.map(issueOf);
        assert.ok(issues.length > 0 && issues.length <= 50);
        assert.equal(new Set(parsed.problems.map(({ path }) => path.join('.'))).size, issues.length);
        for (const { message } of issues) {
          assert.doesNotMatch(message, /Invalid |Too (?:big|small)|Unrecognized|received undefined/u);
          assert.ok(message.length < 400, message);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('never show the password of an address', () => {
    for (const address of ['https://ada:secret@example.com/', 'ftp://ada:secret@example.com/'])
      assert.deepEqual(issuesOf(webUrl, address), { '': 'must be without a user name and a password' });
    assert.deepEqual(issuesOf(webUrl, 'ftp://example.com/'), {
      '': 'must be an http or https address; it is «ftp://example.com/»',
    });
  });

  it('tell a missing field from one of the wrong type', () => {
    const schema = z.strictObject({
      list: z.array(z.string()).max(2),
      kind: z.enum(['a', 'b']),
      yes: z.boolean(),
    });
    assert.deepEqual(issuesOf(schema, {}), { list: 'is missing', kind: 'is missing', yes: 'is missing' });
    assert.deepEqual(issuesOf(schema, { list: 'abc', kind: null, yes: Number.NaN }), {
      list: 'must be a list, not the text «abc»',
      kind: 'must be one of a, b, not null',
      yes: 'must be true or false, not the number NaN',
    });
    assert.deepEqual(issuesOf(schema, { list: ['a', 'b', 'c'], kind: '\u202ea', yes: '' }), {
      list: 'must have at most 2 entries; it has 3',
      kind: 'must be one of a, b, not the text «\ufffda»',
      yes: 'must be true or false, not empty text',
    });
  });

  it('are those of the variant that comes closest', () => {
    assert.deepEqual(issuesOf(postScores.body, { board: 'a', player: 'ada', score: '1' }), {
      score: 'must be a number, not the text «1»',
    });
    assert.deepEqual(issuesOf(postScores.body, { scores: [{ board: 'a', player: 'ada', points: 1 }] }), {
      'scores.0.score': 'is missing',
      'scores.0.points':
        'is not a field of this request; there are board, player, player_token, sandbox, score, meta',
    });
    assert.deepEqual(issuesOf(z.strictObject({ url: z.string() }), { url: '', colour: 1 }), {
      colour: 'is not a field of this request; there is only url',
    });
  });

  it('never contain the text of a secret', () => {
    const schema = z.object({
      password: z.string().min(20),
      claim_token: z.number(),
      user_code: z.string().regex(/^x/u, 'must be x'),
    });
    const said = JSON.stringify(
      issuesOf(schema, { password: 'hunter2', claim_token: 'hunter2', user_code: 'hunter2' }),
    );
    assert.doesNotMatch(said, /hunter2/u);
  });
});

describe('a whole number in a path', () => {
  it('is accepted in plain decimal digits alone', () => {
    const schema = digits(1, 100);
    for (const good of ['1', '42', '100']) assert.equal(schema.parse(good), Number(good));
    for (const bad of ['', '0', '101', '1e1', '0x1', '01', '+1', '-1', ' 1', '1.0', '٣', '1_0'])
      assert.equal(schema.safeParse(bad).success, false, bad);
  });
});

describe('an unknown field name', () => {
  it('is matched to the nearest known name, or to none', () => {
    const known = ['title', 'space_type', 'devices', 'description'];
    for (const [name, meant] of [
      ['Title', 'title'],
      ['spacetype', 'space_type'],
      ['type', 'space_type'],
      ['decription', 'description'],
      ['name', 'title'],
      ['x', null],
      ['weight', null],
    ] as const)
      assert.equal(nearest(name, known), meant, name);
    // A synonym of another field is no misspelling of this one.
    assert.equal(nearest('slug', ['title', 'page']), null);
    assert.equal(nearest('slug', ['space', 'page']), 'space');
  });

  it('is also looked for one level further in and out', () => {
    const issues = issuesOf(createVersion.body, { files: [], title: 'x', fields: { spa: true } });
    assert.match(issues.title ?? '', /belongs at fields\.title/u);
    assert.match(issues['fields.spa'] ?? '', /belongs at spa/u);
  });
});
