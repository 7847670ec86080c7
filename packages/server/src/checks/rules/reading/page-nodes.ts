import { html, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5';
import { PageTooComplex } from './facts.ts';

/** An element in a flat list: rules ask what a page has, and seldom where. */
export interface PageNode {
  readonly tag: string;
  readonly namespace: html.NS;
  readonly attributes: Token.Attribute[];
  parent: PageNode | null;
  /** The form that the element belongs to by its place in the source. */
  form: PageNode | null;
  /** The text inside, for elements whose text is not shown on the page (script, title …). */
  text: string;
  /** The number of characters of visible text before the element. */
  textOffset: number;
}

export interface PageNodes {
  /** Elements of the kinds that rules ask about, in the order of the source. */
  readonly elements: PageNode[];
  /** The visible text as written. */
  readonly text: string;
}

/** The node types for parse5: one type for all kinds. */
export type Nodes = TreeAdapterTypeMap<
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode
>;

const maxDepth = 1_000;
const maxElements = 50_000;
const maxAdoptedAttributes = 100;

const kept = new Set(
  'base meta form input textarea select button script link img image use audio video source track iframe frame object embed body'.split(
    ' ',
  ),
);
const ownText = new Set('script style title textarea noscript noembed noframes iframe xmp'.split(' '));
const inline = new Set(
  'a abbr b bdi bdo big cite code em font i kbd mark q s small span strong sub sup u wbr'.split(' '),
);

/**
 * A tree adapter without a tree. parse5 alone decides what an element is, as a browser does; the adapter
 * keeps a flat list. A real tree costs quadratic time on pages made for that (deep nesting, foster
 * parenting), and no rule walks it.
 */
export class PageCollector implements TreeAdapter<Nodes> {
  readonly elements: PageNode[] = [];
  private readonly pieces: string[] = [];
  private textLength = 0;
  private depth = 0;
  private mode = html.DOCUMENT_MODE.NO_QUIRKS;

  collected(): PageNodes {
    return { elements: this.elements, text: this.pieces.join('') };
  }

  createElement(tag: string, namespace: html.NS, attributes: Token.Attribute[]): PageNode {
    if (!inline.has(tag)) this.read(' ');
    const node = this.node(tag, namespace, attributes);
    const wanted =
      kept.has(tag) || attributes.some(({ name }) => name === 'contenteditable' || name === 'onload');
    if (!wanted) return node;
    if (this.elements.length >= maxElements) throw new PageTooComplex('too many elements');
    this.elements.push(node);
    return node;
  }

  onElementCreated(node: PageNode, context: { formElement: PageNode | null }): void {
    node.form = context.formElement;
  }

  onItemPush(): void {
    this.depth++;
    if (this.depth > maxDepth) throw new PageTooComplex('nested too deep');
  }

  onItemPop(): void {
    this.depth--;
  }

  insertText(parent: PageNode, text: string): void {
    if (ownText.has(parent.tag)) parent.text += text;
    else this.read(text);
  }

  insertTextBefore(parent: PageNode, text: string): void {
    this.insertText(parent, text);
  }

  appendChild(parent: PageNode, node: PageNode): void {
    node.parent = parent;
  }

  insertBefore(parent: PageNode, node: PageNode): void {
    node.parent = parent;
  }

  detachNode(node: PageNode): void {
    node.parent = null;
  }

  /** A second `<body onload>` adds its attributes to the first. */
  adoptAttributes(recipient: PageNode, attributes: Token.Attribute[]): void {
    for (const attribute of attributes) {
      if (recipient.attributes.length >= maxAdoptedAttributes) return;
      if (recipient.attributes.every(({ name }) => name !== attribute.name))
        recipient.attributes.push(attribute);
    }
  }

  createDocument = (): PageNode => this.node('#document', html.NS.HTML, []);
  createDocumentFragment = (): PageNode => this.node('#fragment', html.NS.HTML, []);
  createCommentNode = (): PageNode => this.node('#comment', html.NS.HTML, []);
  createTextNode = (): PageNode => this.node('#text', html.NS.HTML, []);
  getParentNode = (node: PageNode): PageNode | null => node.parent;
  getTagName = (node: PageNode): string => node.tag;
  getNamespaceURI = (node: PageNode): html.NS => node.namespace;
  getAttrList = (node: PageNode): Token.Attribute[] => node.attributes;
  getTemplateContent = (node: PageNode): PageNode => node;
  getDocumentMode = (): html.DOCUMENT_MODE => this.mode;
  setDocumentMode = (_document: PageNode, mode: html.DOCUMENT_MODE): void => {
    this.mode = mode;
  };
  isElementNode = (node: PageNode): node is PageNode => !node.tag.startsWith('#');
  isTextNode = (node: PageNode): node is PageNode => node.tag === '#text';
  isCommentNode = (node: PageNode): node is PageNode => node.tag === '#comment';

  // The functions below matter only to code that walks a tree or serializes it.
  isDocumentTypeNode = (_node: PageNode): _node is PageNode => false;
  getFirstChild = (): null => null;
  getChildNodes = (): PageNode[] => [];
  getCommentNodeContent = (): string => '';
  getTextNodeContent = (): string => '';
  getDocumentTypeNodeName = (): string => '';
  getDocumentTypeNodePublicId = (): string => '';
  getDocumentTypeNodeSystemId = (): string => '';
  getNodeSourceCodeLocation = (): null => null;
  setDocumentType = (): void => {};
  setNodeSourceCodeLocation = (): void => {};
  updateNodeSourceCodeLocation = (): void => {};
  setTemplateContent = (): void => {};

  private node(tag: string, namespace: html.NS, attributes: Token.Attribute[]): PageNode {
    return { tag, namespace, attributes, parent: null, form: null, text: '', textOffset: this.textLength };
  }

  private read(text: string): void {
    if (text === ' ' && this.pieces.at(-1) === ' ') return;
    this.pieces.push(text);
    this.textLength += text.length;
  }
}
