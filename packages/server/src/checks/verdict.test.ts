import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '@spaceport/contract/versions';
import fc from 'fast-check';
import type { Rule } from './rule.ts';
import { allRules } from './rules/all.ts';
import { versionOf } from './rules/checked-files.fixture.ts';
import { runRules } from './verdict.ts';

const empty = versionOf({});

function ruleThatFinds(name: string, ...found: Partial<Finding>[]): Rule {
  const whole = { rule: name, severity: 'warn', message: 'Something.', fix: 'Change it.' } as const;
  return { name, check: async () => found.map((one) => ({ ...whole, ...one })) };
}

test('a version with no findings or only warnings passes, without a reason', async () => {
  assert.deepEqual(await runRules([], empty), { verdict: 'pass', findings: [] });
  const { verdict, reason, findings } = await runRules([ruleThatFinds('a', { path: 'x.html' })], empty);
  assert.deepEqual([verdict, reason, findings.length], ['pass', undefined, 1]);
});

test('one refusing finding refuses the version, and the reason says what, where and what to change', async () => {
  const rules = [
    ruleThatFinds('a', { severity: 'unjudged' }),
    ruleThatFinds('b', { severity: 'warn' }),
    ruleThatFinds('c', { severity: 'refuse', path: 'x.exe' }, { severity: 'refuse', path: 'y.exe' }),
  ];
  const { verdict, reason, findings } = await runRules(rules, empty);
  assert.equal(verdict, 'refused');
  assert.equal(reason, 'Refused by the rule "c" for x.exe (and 1 more file): Something. Change it.');
  assert.deepEqual(
    findings.map(({ severity }) => severity),
    ['refuse', 'refuse', 'unjudged', 'warn'],
  );
});

test('an unjudged file or a rule that throws keeps a version from passing', async () => {
  const doubt = await runRules([ruleThatFinds('a', { severity: 'unjudged', path: 'x.html' })], empty);
  assert.deepEqual([doubt.verdict, doubt.reason], ['unjudged', 'x.html: Something. Change it.']);
  const error = new Error('secret path /srv/data');
  const { thrown, ...verdict } = await runRules(
    [{ name: 'broken', check: () => Promise.reject(error) }],
    empty,
  );
  assert.equal(verdict.verdict, 'unjudged');
  assert.match(verdict.reason ?? '', /broken/u);
  assert.doesNotMatch(JSON.stringify(verdict), /srv/u);
  assert.equal(thrown, error);
});

test('a rule that never ends is unjudged at the deadline, and other refusals still count', async () => {
  const never: Rule = { name: 'never', check: () => new Promise(() => {}) };
  const stop = new AbortController();
  const waiting = runRules([never], { ...empty, signal: stop.signal });
  stop.abort();
  const { verdict, reason } = await waiting;
  assert.equal(verdict, 'unjudged');
  assert.match(reason ?? '', /too long/u);

  const late = new AbortController();
  const both = runRules([never, ruleThatFinds('a', { severity: 'refuse' })], {
    ...empty,
    signal: late.signal,
  });
  setImmediate(() => late.abort());
  assert.equal((await both).verdict, 'refused');
  assert.equal(
    (await runRules(allRules, { ...versionOf({ 'a.js': 'x' }), signal: late.signal })).verdict,
    'unjudged',
  );
});

test('a report has a maximum size and no invisible characters', async () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ path: `${index}\u202e\n${'x'.repeat(900)}` }));
  const { findings } = await runRules(
    [ruleThatFinds('a', ...many), ruleThatFinds('b', { severity: 'refuse' })],
    empty,
  );
  assert.equal(findings.length, 100);
  assert.equal(findings[0]?.severity, 'refuse');
  for (const { path } of findings) assert.ok((path ?? '').length <= 240 && !/[\u202e\n]/u.test(path ?? ''));
});

test('unreadable files leave every rule that reads unjudged', async () => {
  const version = versionOf({ 'a.js': 'x' });
  const files = version.files.map((file) => ({
    ...file,
    open: () => Promise.reject(new Error('store down')),
  }));
  assert.equal((await runRules(allRules, { ...version, files })).verdict, 'unjudged');
});

test('each file is opened once for all rules', async () => {
  const version = versionOf({ 'index.html': '<p>hi', 'a.js': 'x', 'b.png': 'y' });
  const opened: string[] = [];
  const files = version.files.map((file) => ({
    ...file,
    open: () => {
      opened.push(file.path);
      return file.open();
    },
  }));
  assert.equal((await runRules(allRules, { ...version, files })).verdict, 'pass');
  assert.deepEqual(opened.sort(), ['a.js', 'b.png', 'index.html']);
});

const path = fc.constantFrom(
  'index.html',
  'a.js',
  'a.svg',
  'a.xml',
  'b.js.gz',
  'b.html.br',
  'c.zip',
  'd.wasm',
  'e.bin',
);
const piece = fc.constantFrom(
  '<form action="//x.example">',
  '<input type=password>',
  '<script>',
  '</script>',
  '<svg><style><!--',
  '<template>',
  '<table><tr>',
  '</form>',
  '<base href="http://[">',
  '<meta http-equiv=refresh content="0;url=http://%">',
  '<img src="//[::" srcset=", ,">',
  'location = `//x${',
  '"recovery phrase"',
  '(function(){',
  '})()',
  'PK\x03\x04',
  'PK\x01\x02',
  'MZ',
  '\x1f\x8b\x08',
  '\ufeff',
  '%E0%A4%A',
  '\ud800',
);

test('no bytes or markup make a rule throw', async () => {
  const markup = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 30 });
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 700 }),
    markup.map((pieces) => Buffer.from(pieces.join(''))),
    markup.map((pieces) => Buffer.from(pieces.join(''), 'latin1')),
  );
  const files = fc.dictionary(path, content, { maxKeys: 9 });
  await fc.assert(
    fc.asyncProperty(files, async (contents) => {
      const { findings } = await runRules(allRules, versionOf(contents));
      assert.ok(
        findings.every(({ severity }) => severity !== 'unjudged'),
        JSON.stringify(findings),
      );
    }),
    { numRuns: 30 },
  );
});
