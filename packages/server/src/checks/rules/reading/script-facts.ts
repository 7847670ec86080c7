import type { AnyNode, CallExpression } from 'acorn';
import { type ControlFacts, emptyFacts, type Facts, maxFactText, mergeFacts, readable } from './facts.ts';
import { loadTimeNodes } from './load-time.ts';
import { embedded, pageFacts } from './page-facts.ts';
import { literalStart, nameChain, parseScript } from './script-tree.ts';

/** Only scripts that say one of these can be of interest: parsing costs a second for ten megabytes. */
const worthParsing =
  /location|navigate|_self|_top|\bopen\b|<(?:form|input|textarea|meta|iframe)|phrase|mnemonic|private.?key|\.action|formaction|\bimport\b|\bfrom\b/iu;
const markup = /<(?:form|input|textarea|meta|iframe|base)[\s/>]/iu;
const askedFor = /phrase|mnemonic|private key|seed words|12 words|24 words/iu;
const windows = new Set(['window', 'self', 'top', 'parent', 'document', 'globalThis', 'frames']);
const controlTexts = new Set(['placeholder', 'label', 'ariaLabel', 'aria-label', 'title', 'helperText']);
const maxMarkupStrings = 200;
const maxMarkupLength = 200_000;

/**
 * Reads a script without running it. A script that hides what it does is not seen through: for that the page is opened.
 * @param nesting how many pages and scripts stand around this one.
 */
export function scriptFacts(source: string, nesting = 0): Facts {
  const facts = emptyFacts();
  if (!worthParsing.test(source)) return facts;
  const program = parseScript(source);
  if (!program) return unparsedFacts(source);
  const constants = new Map<string, string>();
  const texts: string[] = [];
  const strings: string[] = [];
  let makesControls = false;
  for (const { node, atLoad } of loadTimeNodes(program)) {
    takeConstant(node, constants);
    const url = redirectTarget(node, constants);
    if (url !== null) facts.redirects.push({ url, atLoad });
    takeImport(facts, node);
    takeAction(facts, node, constants);
    takeAsked(facts, node, constants);
    makesControls ||= isControlMaker(node);
    const text = stringOf(node);
    if (text === null) continue;
    if (markup.test(text) && strings.length < maxMarkupStrings) strings.push(text.slice(0, maxMarkupLength));
    else if (text.length < 500 && /\s/u.test(text)) texts.push(text);
  }
  facts.text = readable(texts.join(' · ')).slice(0, maxFactText);
  if (makesControls) takeTextsBesideControls(facts, texts);
  if (nesting <= 2) for (const text of strings) mergeFacts(facts, embedded(pageFacts(text, nesting + 1)));
  return facts;
}

/** What no engine runs as it stands may still be run in part, or by a newer engine: patterns, for warnings. */
function unparsedFacts(source: string): Facts {
  const facts = emptyFacts();
  const pattern =
    /\blocation(?:\.href)?\s*(?:=|\.(?:replace|assign)\()\s*["'`]((?:https?:)?\/\/[^"'`\s]{1,300})/gu;
  for (const match of source.matchAll(pattern)) {
    if (match[1] && facts.redirects.length < 100) facts.redirects.push({ url: match[1], atLoad: false });
  }
  return facts;
}

function takeConstant(node: AnyNode, constants: Map<string, string>): void {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return;
  const value = literalStart(node.init, constants);
  // One name twice, in different scopes: whichever is a URL, so that a second `url` hides nothing.
  if (value !== null && (!constants.has(node.id.name) || value.includes('//')))
    constants.set(node.id.name, value);
}

function redirectTarget(node: AnyNode, constants: ReadonlyMap<string, string>): string | null {
  if (node.type === 'AssignmentExpression' && node.operator === '=') {
    return isLocation(node.left, ['href']) ? literalStart(node.right, constants) : null;
  }
  if (node.type !== 'CallExpression') return null;
  const [first, second] = node.arguments;
  if (!first || first.type === 'SpreadElement') return null;
  const chain = nameChain(node.callee);
  if (!chain) return null;
  const method = chain.at(-1);
  if (method === 'open' && (chain.length === 1 || windows.has(chain[0] ?? ''))) {
    const target = second && second.type !== 'SpreadElement' ? literalStart(second, constants) : null;
    return /^_(?:self|top|parent)$/iu.test(target ?? '') ? literalStart(first, constants) : null;
  }
  const leaves = method === 'replace' || method === 'assign' || method === 'navigate';
  const isTarget =
    isLocationChain(chain.slice(0, -1)) || (method === 'navigate' && chain.at(-2) === 'navigation');
  return leaves && isTarget ? literalStart(first, constants) : null;
}

function isLocation(node: AnyNode, endings: readonly string[]): boolean {
  const chain = nameChain(node);
  if (!chain) return false;
  return (
    isLocationChain(chain) || (endings.includes(chain.at(-1) ?? '') && isLocationChain(chain.slice(0, -1)))
  );
}

function isLocationChain(chain: readonly string[]): boolean {
  return chain.at(-1) === 'location' && chain.slice(0, -1).every((name) => windows.has(name));
}

function takeImport(facts: Facts, node: AnyNode): void {
  const source =
    node.type === 'ImportDeclaration' ||
    node.type === 'ExportAllDeclaration' ||
    node.type === 'ExportNamedDeclaration'
      ? node.source
      : null;
  if (source && typeof source.value === 'string' && facts.imports.length < 1_000)
    facts.imports.push(source.value);
}

function takeAction(facts: Facts, node: AnyNode, constants: ReadonlyMap<string, string>): void {
  let value: AnyNode | undefined;
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    const { property } = node.left;
    if (property.type === 'Identifier' && /^(?:action|formAction)$/u.test(property.name)) value = node.right;
  } else if (node.type === 'CallExpression' && methodName(node) === 'setAttribute') {
    const [name, second] = node.arguments;
    if (name && /^(?:form)?action$/iu.test(stringOf(name) ?? '')) value = second;
  }
  const url = value ? literalStart(value, constants) : null;
  if (url?.includes('//') && facts.assignedActions.length < 100) facts.assignedActions.push(url);
}

function takeAsked(facts: Facts, node: AnyNode, constants: ReadonlyMap<string, string>): void {
  if (facts.controls.length >= 500) return;
  if (node.type === 'CallExpression' && nameChain(node.callee)?.at(-1) === 'prompt') {
    const [first] = node.arguments;
    const text = first ? literalStart(first, constants) : null;
    if (text) facts.controls.push(control(text));
  }
  if (node.type === 'Property' && !node.computed) {
    const name = node.key.type === 'Identifier' ? node.key.name : stringOf(node.key);
    const text = name && controlTexts.has(name) ? literalStart(node.value, constants) : null;
    if (text && askedFor.test(text)) facts.controls.push(control(text));
  }
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    const { property } = node.left;
    const isText = property.type === 'Identifier' && /^(?:placeholder|ariaLabel)$/u.test(property.name);
    const text = isText ? literalStart(node.right, constants) : null;
    if (text && askedFor.test(text)) facts.controls.push(control(text));
  }
}

/** `createElement('textarea')`, and what compiled components call: `h('input', …)`, `jsx("input", …)`. */
function isControlMaker(node: AnyNode): boolean {
  if (node.type !== 'CallExpression') return false;
  const [first] = node.arguments;
  return first !== undefined && /^(?:input|textarea)$/iu.test(stringOf(first) ?? '');
}

function takeTextsBesideControls(facts: Facts, texts: readonly string[]): void {
  for (const text of texts) {
    if (askedFor.test(text) && facts.controls.length < 500) {
      facts.controls.push({ own: '', before: readable(text).slice(-300), after: '' });
    }
  }
}

function control(text: string): ControlFacts {
  return { own: readable(text).slice(0, 500), before: '', after: '' };
}

function methodName(call: CallExpression): string | null {
  const { callee } = call;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : null;
}

function stringOf(node: AnyNode): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return node.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked ?? '').join(' ')
    : null;
}
