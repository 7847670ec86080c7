import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyNode, parseExpressionAt } from 'acorn';
import { literalStart, nameChain, parseScript } from './script-tree.ts';

const constants = new Map([['host', 'x.example']]);
const expression = (source: string): AnyNode => parseExpressionAt(source, 0, { ecmaVersion: 'latest' });

test('the constant beginning of a text is found', () => {
  const cases: Readonly<Record<string, string | null>> = {
    '"a"': 'a',
    '"a" + "b" + "c"': 'abc',
    '"a" + ("b" + "c")': 'a',
    '"//" + host + path + "/x"': '//x.example',
    '`a${b}c`': 'a',
    '`a${b}c` + "d"': 'a',
    'host + "/y"': 'x.example/y',
    'unknown + "a"': null,
    '1 + "a"': null,
    'f("a")': null,
  };
  for (const [source, known] of Object.entries(cases)) {
    assert.equal(literalStart(expression(source), constants), known, source);
  }
});

test('chains of names are read', () => {
  const cases: Readonly<Record<string, string | null>> = {
    location: 'location',
    'window.location.href': 'window location href',
    'window["location"].href': 'window location href',
    'window?.location': 'window location',
    'f().location': null,
    'a[b].location': null,
  };
  for (const [source, chain] of Object.entries(cases)) {
    assert.equal(nameChain(expression(source))?.join(' ') ?? null, chain, source);
  }
});

test('modules, classic scripts and handlers parse, and invalid scripts do not', () => {
  for (const source of [
    'import "./a.js"; await x',
    'with (a) b; <!-- old',
    '#!/bin/x\nf()',
    'return start()',
    'export default 1',
  ]) {
    assert.notEqual(parseScript(source), null, source);
  }
  for (const source of ['const = 1', '<p>']) assert.equal(parseScript(source), null, source);
});

test('a script with a megabyte of empty lines is parsed', { timeout: 20_000 }, () => {
  const lines = '\n'.repeat(1_000_000);
  assert.equal(parseScript(`${lines}start()`)?.sourceType, 'script');
  assert.equal(parseScript(`start();${lines}import "./a.js"`)?.sourceType, 'module');
});
