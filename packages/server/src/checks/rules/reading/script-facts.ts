import type { AnyNode, Program } from 'acorn';
import { add, addSome, emptyFacts, type Facts, maxFactText, readable } from './facts.ts';
import { loadTimeNodes } from './load-time.ts';
import { takeAsked, takeTextsBesideControls } from './script-controls.ts';
import { redirectTarget, takeAction } from './script-targets.ts';
import { takeTop } from './script-top.ts';
import { allNodes, parseScript, stringOf } from './script-tree.ts';

/**
 * Patterns for scripts that are worth parsing: they may redirect the page, contain markup with fields, or
 * mention phrases and keys, or reach for the window around the frame. Other scripts are not parsed, because parsing ten megabytes takes a second.
 */
const worthParsing = [
  /\blocation\b\W{0,40}?(?:=(?!=)|href\b\W{0,40}?=(?!=)|(?:replace|assign)\b|\[)/u,
  /\bnavigation\b\W{1,40}navigate\b|["'`]_(?:self|top|parent)["'`]/iu,
  /<(?:form|input|textarea|meta|iframe)[\s/>]|\baction["']?\W{0,20}?["'`](?:https?:)?\/\//iu,
  /(?:recovery|seed|secret|backup|pass).?phrase|mnemonic|private.?key|(?:seed|\d|twelve|four)[ -]words?\b/iu,
  /(?<![\w$.])(?:(?:window|self)\s{0,9}\.\s{0,9})?top\s{0,9}\./u,
];
const importLine =
  /(?:^|;)[ \t]*(?:import\s*|(?:import|export)\b[^'"`;=()]{1,2000}?\bfrom\s*)["'](\.{0,2}\/[^"'\n]{1,500})["']/gmu;
const markup = /<(?:form|input|textarea|meta|iframe|base)[\s/>]/iu;

/** The facts of a script, and the markup in its strings, which is read as pages. */
export interface ReadScript {
  readonly facts: Facts;
  readonly markups: readonly string[];
}

/**
 * Reads a script without running it. Obfuscated scripts are not understood here; the page
 * check opens the page for them.
 */
export function readScript(source: string): ReadScript {
  const isWorthParsing = worthParsing.some((pattern) => pattern.test(source));
  const program = isWorthParsing ? parseScript(source) : null;
  const facts = isWorthParsing && !program ? unparsedFacts(source) : emptyFacts();
  const markups = program ? takeNodes(facts, program) : [];
  for (const [, specifier] of source.matchAll(importLine)) {
    if (specifier) addSome(facts.imports, specifier);
  }
  return { facts, markups };
}

/** Returns the markup among the script's texts. */
function takeNodes(facts: Facts, program: Program): string[] {
  const constants = new Map<string, string>();
  const interesting: AnyNode[] = [];
  const texts: string[] = [];
  const markups: string[] = [];
  for (const node of allNodes(program)) {
    const text = stringOf(node);
    if (text === null) {
      takeConstant(node, constants);
      if (isAct(node)) interesting.push(node);
    } else if (markup.test(text)) {
      add(markups, text);
    } else if (text.length < 500 && /\s/u.test(text)) {
      texts.push(text);
    }
  }
  const redirects: { node: AnyNode; url: string }[] = [];
  for (const node of interesting) {
    const url = redirectTarget(node, constants);
    if (url?.includes('//')) redirects.push({ node, url });
    takeAction(facts, node, constants);
    takeAsked(facts, node, constants);
  }
  if (redirects.length > 0) {
    const atLoad = loadTimeNodes(program);
    for (const { node, url } of redirects) add(facts.redirects, { url, atLoad: atLoad.has(node) });
  }
  facts.text = readable(texts.join(' · ')).slice(0, maxFactText);
  takeTextsBesideControls(facts, interesting, texts);
  takeTop(facts, program);
  return markups;
}

/** Returns whether a node does or names something. Only such nodes are examined further. */
function isAct({ type }: AnyNode): boolean {
  return type === 'AssignmentExpression' || type === 'CallExpression' || type === 'Property';
}

/**
 * Reads a script that cannot be parsed, by patterns that lead to warnings only. A browser may run part of it,
 * and a newer one may run it all.
 */
function unparsedFacts(source: string): Facts {
  const facts = emptyFacts();
  const pattern =
    /\blocation(?:\.href)?\s{0,9}(?:=|\.(?:replace|assign)\()\s{0,9}["'`]((?:https?:)?\/\/[^"'`\s]{1,300})/gu;
  for (const match of source.matchAll(pattern)) {
    if (match[1]) add(facts.redirects, { url: match[1], atLoad: false });
  }
  return facts;
}

function takeConstant(node: AnyNode, constants: Map<string, string>): void {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return;
  const value = stringOf(node.init);
  // A name may be declared twice in different scopes. The value that is a URL wins, so that
  // a second `url` cannot hide it.
  if (value !== null && (!constants.has(node.id.name) || value.includes('//'))) {
    constants.set(node.id.name, value);
  }
}
