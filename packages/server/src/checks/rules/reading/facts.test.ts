import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PageTooComplex } from './facts.ts';
import { FactsReader } from './facts-reader.ts';
import { pageFacts, scriptFacts, xmlFacts } from './page-facts.ts';

const markup = fc.array(
  fc.oneof(
    fc.constantFrom(
      '<form action=//x.example>',
      '</form>',
      '<input type=password form=a>',
      '<b><p>',
      '</b>',
      '<table><td>',
      '<svg><desc>',
      '<math><mi>',
      '<template>',
      '</template>',
      '<select><option>',
      '<frameset>',
      '<body onload="f(">',
      '<plaintext>',
      '<script>location="//x.example";',
      '</script>',
      '<iframe srcdoc="<form><input>">',
      '<![CDATA[',
    ),
    fc.string({ unit: 'binary', maxLength: 10 }),
  ),
  { maxLength: 40 },
);
const code = fc.array(
  fc.oneof(
    fc.constantFrom(
      'location.href=',
      '"//x.example"',
      'setTimeout(',
      'function f(){',
      '}',
      '=>',
      '`${',
      '`',
      ')',
      '(',
      ';\n',
      'class A{static{',
      'f?.()',
      'prompt("seed phrase")',
      '"<form>"',
      'import"./a.js";',
    ),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 30 },
);

test('no page makes the reading of pages throw', () => {
  fc.assert(
    fc.property(markup, (pieces) => {
      const page = pieces.join('');
      assert.equal(typeof pageFacts(page).text, 'string');
      assert.equal(typeof xmlFacts(page).text, 'string');
    }),
    { numRuns: 1_000 },
  );
});

test('no script makes the reading of scripts throw', () => {
  fc.assert(
    fc.property(code, (pieces) => {
      assert.equal(typeof scriptFacts(pieces.join('')).text, 'string');
    }),
    { numRuns: 1_000 },
  );
});

test('a page that nests too deep, and a script deeper than the stack, end quickly', () => {
  assert.throws(() => pageFacts('<div>'.repeat(1_000_000)), PageTooComplex);
  const script = `location = ${'('.repeat(200_000)}"//x.example"${')'.repeat(200_000)}`;
  assert.deepEqual(scriptFacts(script).redirects, []);
});

test('pages that would take quadratic time in a tree parser are read quickly', { timeout: 20_000 }, () => {
  pageFacts(`<table>${'<br>'.repeat(300_000)}`);
  pageFacts(`${'<body a b c>'.repeat(200_000)}`);
  pageFacts('<p><b>'.repeat(300) + '</p>'.repeat(300_000));
});

test('reading that takes too long is abandoned, and the next page is read', async (context) => {
  const reader = new FactsReader(150);
  context.after(() => reader.close());
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));
  const attributes = Array.from({ length: 400_000 }, (_, index) => `a${index}`).join(' ');
  const slow = reader.read({ servedAs: 'html', bytes: bytes(`<p ${attributes}>`) });
  const next = new FactsReader();
  context.after(() => next.close());
  assert.equal(await slow, null);
  const facts = await next.read({ servedAs: 'html', bytes: bytes('<base href="x">') });
  assert.equal(facts?.base, 'x');
});
