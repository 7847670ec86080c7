import type { RenderedDocument } from '../visit.ts';

/** A node as the browser describes it (Chrome DevTools Protocol, DOM.Node), with the fields that are read. */
export interface DomNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly nodeValue: string;
  readonly documentURL?: string;
  readonly baseURL?: string;
  /** Names and values, alternating. */
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly (DomNode & { readonly shadowRootType?: string })[];
  readonly contentDocument?: DomNode;
  readonly templateContent?: DomNode;
}

const elementNode = 1;
const textNode = 3;
const documentNode = 9;
/** People who look at the page do not see their text. */
const silent = new Set(['script', 'style', 'noscript', 'template', 'base', 'svg:style']);
const isVoid = new Set('area br col embed hr img input link meta source track wbr'.split(' '));
const maxDocuments = 50;
/** The most characters of all documents together. */
const maxLength = 4 * 1024 * 1024;
const maxAttributeLength = 2_000;

interface Writing {
  readonly pieces: string[];
  length: number;
  readonly url: string;
  readonly base: string;
}
type Step =
  | { readonly node: DomNode; readonly into: Writing }
  | { readonly end: string; readonly into: Writing };

/**
 * Writes a tree of nodes as HTML, one text for each document, and adds them to `documents`. Shadow roots are
 * written inside their hosts. The addresses that forms and their buttons post to are made absolute, so that
 * they mean the same anywhere.
 * @returns whether something was left out
 */
export function writeDocuments(root: DomNode, documents: RenderedDocument[]): boolean {
  let cut = false;
  const waiting: DomNode[] = [root];
  for (let document = waiting.shift(); document; document = waiting.shift()) {
    const written = documents.reduce((sum, { html }) => sum + html.length, 0);
    if (documents.length >= maxDocuments || written > maxLength) return true;
    const writing = writingOf(document);
    cut = writeDocument(document, writing, waiting) || cut;
    documents.push({ url: writing.url, html: writing.pieces.join('') });
  }
  return cut;
}

function writingOf({ documentURL = 'about:blank', baseURL }: DomNode): Writing {
  return { pieces: ['<!doctype html>'], length: 0, url: documentURL, base: baseURL ?? documentURL };
}

function writeDocument(document: DomNode, into: Writing, waiting: DomNode[]): boolean {
  // An explicit stack, because pages may nest to any depth.
  const steps: Step[] = [...(document.children ?? [])].reverse().map((node) => ({ node, into }));
  for (let step = steps.pop(); step; step = steps.pop()) {
    if (into.length > maxLength) return true;
    if ('end' in step) write(into, step.end);
    else if (step.node.nodeType === textNode) write(into, escaped(step.node.nodeValue));
    else if (step.node.nodeType === elementNode) writeElement(step.node, into, steps, waiting);
  }
  return false;
}

function writeElement(node: DomNode, into: Writing, steps: Step[], waiting: DomNode[]): void {
  if (node.contentDocument?.nodeType === documentNode) waiting.push(node.contentDocument);
  const name = node.localName;
  if (silent.has(name)) return;
  write(into, `<${name}${attributesOf(node, into)}>`);
  if (isVoid.has(name)) return;
  steps.push({ end: `</${name}>`, into });
  const shadows = (node.shadowRoots ?? []).filter(({ shadowRootType }) => shadowRootType !== 'user-agent');
  const inside = [...shadows.flatMap(({ children = [] }) => children), ...(node.children ?? [])];
  for (const child of inside.reverse()) steps.push({ node: child, into });
}

function attributesOf({ localName, attributes = [] }: DomNode, { url, base }: Writing): string {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < attributes.length; index += 2) {
    const name = attributes[index] ?? '';
    if (/^[^\s"'<>/=]+$/u.test(name) && !name.startsWith('on')) values.set(name, attributes[index + 1] ?? '');
  }
  // A form without an action posts to its own document.
  if (localName === 'form') values.set('action', absolute(values.get('action') || url, base));
  const formAction = values.get('formaction');
  if (formAction) values.set('formaction', absolute(formAction, base));
  return [...values]
    .map(([name, value]) => ` ${name}="${escaped(value.slice(0, maxAttributeLength))}"`)
    .join('');
}

function absolute(url: string, base: string): string {
  return URL.parse(url, base)?.href ?? url;
}

function write(into: Writing, text: string): void {
  into.pieces.push(text);
  into.length += text.length;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
