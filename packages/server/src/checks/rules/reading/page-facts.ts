import { Parser } from 'parse5';
import {
  add,
  addSome,
  type ControlFacts,
  emptyFacts,
  type Facts,
  type FormFacts,
  maxFactText,
  mergeFacts,
  readable,
} from './facts.ts';
import { type Nodes, PageCollector, type PageNode } from './page-nodes.ts';
import { readScript } from './script-facts.ts';

const sensitiveName =
  /^(?:pass(?:word|wd|phrase)?|pwd|card-?_?number|cc-?_?(?:num(?:ber)?|csc|cvc)|cvv2?|cvc2?)$/iu;
const sensitiveAutocomplete = /(?:^|\s)((?:current|new)-password|one-time-code|cc-[a-z-]+)(?:\s|$)/iu;
const typedInto = new Set(['', 'text', 'password', 'search', 'email', 'tel', 'url', 'number']);
/** Elements that load a file, and the attributes that name it. */
const loads: Readonly<Record<string, readonly string[]>> = {
  script: ['src'],
  img: ['src', 'srcset'],
  image: ['href', 'xlink:href'],
  use: ['href', 'xlink:href'],
  audio: ['src'],
  video: ['src', 'poster'],
  source: ['src', 'srcset'],
  track: ['src'],
  iframe: ['src'],
  frame: ['src'],
  embed: ['src'],
  object: ['data'],
};
const loadingRels =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|manifest|modulepreload|preload|prefetch)(?:\s|$)/iu;
/** How deep markup in scripts in markup is followed. */
const maxNesting = 2;

/**
 * Reads a page as a browser with scripts on would.
 * @param nesting the number of pages around this one (markup in a script, srcdoc)
 * @throws PageTooComplex for pages made to cost time
 */
export function pageFacts(source: string, nesting = 0): Facts {
  const collector = new PageCollector();
  new Parser<Nodes>({ treeAdapter: collector }).tokenizer.write(source, true);
  const { elements, text } = collector.collected();
  const facts = emptyFacts();
  facts.text = readable(text).slice(0, maxFactText);
  const forms = new Map<PageNode, FormFacts>();
  const ids = formIds(elements);
  for (const node of elements) {
    const attribute = attributesOf(node);
    if (node.tag === 'base') facts.base ??= attribute('href');
    if (node.tag === 'meta') takeMeta(facts, attribute);
    takeReferences(facts, node.tag, attribute);
    takeForm(forms, ids, node, attribute);
    takeControl(facts, node, attribute, text);
    takeScripts(facts, node, attribute, nesting);
  }
  mergeFacts(facts, { ...emptyFacts(), forms: [...forms.values()] });
  return facts;
}

/** Reads XHTML and SVG as HTML: prefixes are removed, empty elements closed, CDATA sections opened. */
export function xmlFacts(source: string): Facts {
  return pageFacts(
    source
      .replace(/<(\/?)(?!xlink)[A-Za-z][\w.-]{0,50}:(?=[A-Za-z])/gu, '<$1')
      .replace(/<(script|style|title|textarea|iframe|form)(\s[^<>]{0,2000})?\/>/giu, '<$1$2></$1>')
      .replace(/<!\[CDATA\[|\]\]>/gu, ''),
  );
}

/**
 * Reads a script, and the markup in it as pages of its own.
 * @param nesting the number of pages and scripts around this one
 */
export function scriptFacts(source: string, nesting = 0): Facts {
  const { facts, markups } = readScript(source);
  if (nesting > maxNesting) return facts;
  for (const markup of markups) mergeFacts(facts, embedded(pageFacts(markup, nesting + 1)));
  return facts;
}

type Attributes = (name: string) => string | null;

function attributesOf(node: PageNode): Attributes {
  return (name) => {
    const found = node.attributes.find(
      (one) => (one.prefix ? `${one.prefix}:${one.name}` : one.name) === name,
    );
    return found ? found.value : null;
  };
}

function formIds(elements: readonly PageNode[]): Map<string, PageNode> {
  const ids = new Map<string, PageNode>();
  for (const node of elements) {
    const id = node.tag === 'form' ? attributesOf(node)('id') : null;
    if (id && !ids.has(id)) ids.set(id, node);
  }
  return ids;
}

function takeMeta(facts: Facts, attribute: Attributes): void {
  if (attribute('http-equiv')?.trim().toLowerCase() !== 'refresh') return;
  const url = /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/iu
    .exec(attribute('content') ?? '')?.[1]
    ?.trim();
  if (url) add(facts.refreshes, url);
}

function takeReferences(facts: Facts, tag: string, attribute: Attributes): void {
  if (tag === 'link') {
    const url = attribute('href');
    if (url && loadingRels.test(attribute('rel') ?? '')) addSome(facts.references, { url, by: 'link href' });
    return;
  }
  for (const name of (Object.hasOwn(loads, tag) ? loads[tag] : undefined) ?? []) {
    const value = attribute(name);
    if (!value) continue;
    const urls =
      name === 'srcset' ? value.split(/,\s+/u).map((one) => one.trim().split(/\s/u)[0] ?? '') : [value];
    for (const url of urls) if (url) addSome(facts.references, { url, by: `${tag} ${name}` });
  }
}

function takeForm(
  forms: Map<PageNode, FormFacts>,
  ids: ReadonlyMap<string, PageNode>,
  node: PageNode,
  attribute: Attributes,
): void {
  const formOf = (form: PageNode): FormFacts => {
    const known = forms.get(form) ?? { destinations: [], sensitive: null };
    forms.set(form, known);
    return known;
  };
  if (node.tag === 'form') {
    const action = attribute('action')?.trim();
    if (action) formOf(node).destinations.push(action);
    else formOf(node);
    return;
  }
  const form = ids.get(attribute('form') ?? '') ?? node.form;
  if (!form) return;
  const formaction = attribute('formaction')?.trim();
  if (formaction && (node.tag === 'button' || node.tag === 'input'))
    formOf(form).destinations.push(formaction);
  formOf(form).sensitive ??= sensitiveField(node.tag, attribute);
}

function sensitiveField(tag: string, attribute: Attributes): string | null {
  if (tag !== 'input' && tag !== 'textarea') return null;
  const type = attribute('type')?.trim().toLowerCase() ?? '';
  if (type === 'password') return 'input type=password';
  if (type === 'hidden') return null;
  const purpose = sensitiveAutocomplete.exec(attribute('autocomplete') ?? '')?.[1];
  if (purpose) return `${tag} autocomplete=${purpose.toLowerCase()}`;
  const name = [attribute('name'), attribute('id')].find((one) => sensitiveName.test(one?.trim() ?? ''));
  return name ? `${tag} name=${name.trim()}` : null;
}

function takeControl(facts: Facts, node: PageNode, attribute: Attributes, text: string): void {
  const type = attribute('type')?.trim().toLowerCase() ?? '';
  const isControl =
    node.tag === 'textarea' ||
    (node.tag === 'input' && typedInto.has(type)) ||
    (attribute('contenteditable') ?? 'false').toLowerCase() !== 'false';
  if (!isControl) return;
  const own = ['placeholder', 'aria-label', 'title', 'name', 'id', 'data-placeholder'].map(
    (one) => attribute(one) ?? '',
  );
  const control: ControlFacts = {
    own: readable(own.join(' · ').replace(/[_-]/gu, ' ')).slice(0, 500),
    before: readable(text.slice(Math.max(0, node.textOffset - 300), node.textOffset)),
    after: readable(text.slice(node.textOffset, node.textOffset + 150)),
  };
  add(facts.controls, control);
}

function takeScripts(facts: Facts, node: PageNode, attribute: Attributes, nesting: number): void {
  if (nesting > maxNesting) return;
  if (node.tag === 'script' && attribute('src') === null && runs(attribute('type'))) {
    mergeFacts(facts, scriptFacts(node.text, nesting + 1));
  }
  if (node.tag === 'iframe') {
    const srcdoc = attribute('srcdoc');
    if (srcdoc) mergeFacts(facts, embedded(pageFacts(srcdoc, nesting + 1)));
  }
  const handler = attribute('onload') ?? attribute('onerror') ?? attribute('onpageshow');
  if (handler) mergeFacts(facts, scriptFacts(handler, nesting + 1));
}

function runs(type: string | null): boolean {
  const name = type?.trim().toLowerCase() ?? '';
  return (
    name === '' || name === 'module' || /^(?:text|application)\/(?:x-)?(?:java|ecma|j)script\b/u.test(name)
  );
}

/**
 * Returns the facts of embedded markup. Loading the outer page does not run its redirects or load its files.
 */
function embedded(facts: Facts): Facts {
  const redirects = [...facts.redirects, ...facts.refreshes.map((url) => ({ url, atLoad: false }))];
  return {
    ...facts,
    base: null,
    refreshes: [],
    references: [],
    ofTop: [],
    redirects: redirects.map((one) => ({ ...one, atLoad: false })),
  };
}
