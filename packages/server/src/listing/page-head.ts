import { boardsBlockType, proofTagName } from '@spaceport/contract/listing';
import { defaultTreeAdapter, html as names, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { allowsAncestor, frameAncestors } from './frame-ancestors.ts';

/**
 * The content of a page's head. Texts are as written, without white space at the ends;
 * null if absent or empty.
 */
export interface PageHead {
  /** White space is collapsed. */
  readonly title: string | null;
  readonly description: string | null;
  /** The contents of `<meta name="service-owner">`: the handles of the owners that the page names. */
  readonly proofTags: readonly string[];
  /** The `href` of the first icon, relative to the page. */
  readonly icon: string | null;
  /** Relative to the page, though Open Graph requires an absolute address. */
  readonly ogImage: string | null;
  readonly ogTitle: string | null;
  readonly ogDescription: string | null;
  /** The text of the first `<script type="application/service+json">`, unparsed. */
  readonly boardsBlock: string | null;
}

const maxTextLength = 2_000;
const maxProofTags = 20;
/**
 * Far more than any real head has. Elements are limited as well as bytes, because a page can make tree
 * building quadratic: unclosed formatting elements in a template are opened again in each paragraph.
 */
const maxElements = 2_000;

/**
 * Reads the head of a page as a browser with scripting would build it. Only direct children of `head` count,
 * so nothing in the body, a comment, a script, a template or a noscript does. The body is not parsed. Never
 * throws: a head over the limits is read up to them.
 */
export function readHead(html: string): PageHead {
  const elements = headElements(html);
  const metas = elements.filter((element) => element.tagName === 'meta');
  const metaContents = (attribute: 'name' | 'property', value: string) =>
    metas
      .filter((meta) => attributeOf(meta, attribute).trim().toLowerCase() === value)
      .map((meta) => bounded(attributeOf(meta, 'content')))
      .filter((content) => content !== '');
  const title = elements.find((element) => element.tagName === 'title');
  const boards = elements.find((element) => element.tagName === 'script' && isBoardsType(element));
  const icon = elements.find((element) => element.tagName === 'link' && isIcon(element));
  return {
    title: title ? orNull(bounded(textOf(title).replaceAll(/\s+/gu, ' '))) : null,
    description: metaContents('name', 'description')[0] ?? null,
    proofTags: metaContents('name', proofTagName).slice(0, maxProofTags),
    icon: icon ? orNull(bounded(attributeOf(icon, 'href'))) : null,
    ogImage: metaContents('property', 'og:image')[0] ?? null,
    ogTitle: metaContents('property', 'og:title')[0] ?? null,
    ogDescription: metaContents('property', 'og:description')[0] ?? null,
    boardsBlock: boards ? textOf(boards) : null,
  };
}

/** Thrown to stop the parser: there is no other way. */
class HeadIsOver extends Error {}

/**
 * Returns the elements directly in the head. Parsing stops when the body is created: that happens exactly
 * when the head is over, also if the page writes neither tag, and after everything that the standard
 * still moves into the head.
 */
function headElements(html: string): Tree.Element[] {
  let head: Tree.Element | null = null;
  let count = 0;
  try {
    parse(html, {
      treeAdapter: {
        ...defaultTreeAdapter,
        createElement(tagName, namespace, attributes) {
          const isHtml = namespace === names.NS.HTML;
          if (++count > maxElements || (isHtml && (tagName === 'body' || tagName === 'frameset')))
            throw new HeadIsOver();
          const element = defaultTreeAdapter.createElement(tagName, namespace, attributes);
          if (isHtml && tagName === 'head') head ??= element;
          return element;
        },
      },
    });
  } catch (error) {
    if (!(error instanceof HeadIsOver)) throw error;
  }
  return childrenOf(head).filter((node) => defaultTreeAdapter.isElementNode(node));
}

function childrenOf(head: Tree.Element | null): Tree.ChildNode[] {
  return head?.childNodes ?? [];
}

function isBoardsType(script: Tree.Element): boolean {
  return attributeOf(script, 'type').trim().toLowerCase() === boardsBlockType;
}

function isIcon(link: Tree.Element): boolean {
  return (
    attributeOf(link, 'rel').toLowerCase().split(/\s+/u).includes('icon') && attributeOf(link, 'href') !== ''
  );
}

function attributeOf(element: Tree.Element, name: string): string {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? '';
}

function textOf(element: Tree.Element): string {
  return element.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');
}

/** The cut may split a surrogate pair, and the result must be valid Unicode. */
function bounded(text: string): string {
  return text.trim().slice(0, maxTextLength).toWellFormed();
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

/** Response headers by lower-case name; a header that was sent more than once is a list. */
export type PageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the header by which a page refuses to be framed by `appOrigin`, as `Name: value`, or null if it
 * does not refuse. Every Content-Security-Policy with `frame-ancestors` must allow the app. X-Frame-Options
 * counts only if no policy has that directive (HTML standard, "X-Frame-Options"; CSP Level 3 §6.4.2).
 * @param pageUrl the address at which the page answered; without it, sources without a scheme get the app's
 */
export function frameRefusal(headers: PageHeaders, appOrigin: string, pageUrl?: string): string | null {
  const app = new URL(appOrigin);
  // No listed page has the app's origin. So without an address 'self' matches nothing, and
  // the scheme is the app's.
  const self = new URL(pageUrl ?? `${app.protocol}//page.invalid`);
  const policies = headerValues(headers, 'content-security-policy').flatMap((policy) => {
    const sources = frameAncestors(policy);
    return sources ? [{ policy, sources }] : [];
  });
  const refusing = policies.find(({ sources }) => !allowsAncestor(sources, app, self));
  if (refusing) return `Content-Security-Policy: ${excerpt(refusing.policy)}`;
  if (policies.length > 0) return null;

  // ALLOW-FROM and unknown values refuse nothing. A list with a known value in it is
  // contradictory, and refuses.
  const options = new Set(headerValues(headers, 'x-frame-options').map((value) => value.toLowerCase()));
  const refuses =
    options.has('deny') || options.has('sameorigin') || (options.size > 1 && options.has('allowall'));
  return refuses ? `X-Frame-Options: ${excerpt([...options].join(', '))}` : null;
}

/** Returns all values of a header: each of its lines may hold several, separated by commas. */
function headerValues(headers: PageHeaders, name: string): string[] {
  return [headers[name] ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function excerpt(value: string): string {
  return value.length > 200 ? `${value.slice(0, 199)}…` : value;
}
