import { boardsBlockType, proofTagName } from '@spaceport/contract/listing';
import { defaultTreeAdapter, html as names, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { allowsAncestor, frameAncestors } from './frame-ancestors.ts';

/** What a page's head says. Texts are as written but for white space at the ends; null where absent or empty. */
export interface PageHead {
  /** White space collapsed. */
  readonly title: string | null;
  readonly description: string | null;
  /** Contents of `<meta name="service-owner">`: who the page says owns it. */
  readonly proofTags: readonly string[];
  /** `href` of the first icon, relative to the page. */
  readonly icon: string | null;
  /** Relative to the page, though Open Graph asks for an absolute address. */
  readonly ogImage: string | null;
  readonly ogTitle: string | null;
  readonly ogDescription: string | null;
  /** Text of the first `<script type="application/service+json">`, unparsed. */
  readonly boardsBlock: string | null;
}

const maxTextLength = 2_000;
const maxProofTags = 20;
/**
 * Far more than any page's head has. Elements are bounded as well as bytes, because tree building can be made quadratic
 * (unclosed formatting elements in a template are opened again in each paragraph).
 */
const maxElements = 2_000;

/**
 * Reads the head of a page as a browser with scripting would build it: only children of `head` itself count,
 * so nothing in the body, a comment, a script, a template or a noscript does. The body is not parsed. Never
 * throws; a head past the bounds is read as far as they go.
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
 * The elements directly in the head. A body is created exactly when the head is over (also where the page
 * writes neither tag), after whatever the standard still moves into the head, so that is where parsing stops.
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

/** The cut may fall inside a surrogate pair: what is left must be valid Unicode. */
function bounded(text: string): string {
  return text.trim().slice(0, maxTextLength).toWellFormed();
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

/** Response headers by lower-case name; one sent more than once is a list. */
export type PageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The header by which a page refuses to be framed by `appOrigin`, as `Name: value`, or null if it does not:
 * every Content-Security-Policy with `frame-ancestors` must let the app in, and X-Frame-Options counts only
 * where no policy has that directive (HTML standard, "X-Frame-Options"; CSP Level 3 §6.4.2).
 * `pageUrl` is where the page answered: without it, sources that name no scheme are taken to mean the app's.
 */
export function frameRefusal(headers: PageHeaders, appOrigin: string, pageUrl?: string): string | null {
  const app = new URL(appOrigin);
  // No listed page is of the app's origin, so without an address 'self' is nobody, on the app's scheme.
  const self = new URL(pageUrl ?? `${app.protocol}//page.invalid`);
  const policies = headerValues(headers, 'content-security-policy').flatMap((policy) => {
    const sources = frameAncestors(policy);
    return sources ? [{ policy, sources }] : [];
  });
  const refusing = policies.find(({ sources }) => !allowsAncestor(sources, app, self));
  if (refusing) return `Content-Security-Policy: ${excerpt(refusing.policy)}`;
  if (policies.length > 0) return null;

  // ALLOW-FROM and unknown values refuse nobody; a list with a known value in it is a contradiction, and refuses.
  const options = new Set(headerValues(headers, 'x-frame-options').map((value) => value.toLowerCase()));
  const refuses =
    options.has('deny') || options.has('sameorigin') || (options.size > 1 && options.has('allowall'));
  return refuses ? `X-Frame-Options: ${excerpt([...options].join(', '))}` : null;
}

/** All values of a header: each line of it may hold several between commas. */
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
