import { type AnyNode, type Program, parse } from 'acorn';

/**
 * Returns the syntax tree of a script, or null if no engine would run it. Modules and classic scripts differ
 * in details, and a file does not say which it is: the more likely kind is tried first.
 */
export function parseScript(source: string): Program | null {
  // What stands before the word is looked at behind it: from each empty line on, it would take quadratic time.
  const moduleFirst = /(?<=(?:^|[;}\n])\s*)(?:import\b\s*["'{*\w]|export\b\s*[{*\w])/u.test(source);
  const kinds = moduleFirst ? (['module', 'script'] as const) : (['script', 'module'] as const);
  for (const sourceType of kinds) {
    try {
      // Handlers such as onload="return start()" are function bodies, so return and
      // await may appear at the top level.
      return parse(source, {
        ecmaVersion: 'latest',
        sourceType,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowHashBang: true,
      });
    } catch (error) {
      // A RangeError means that the script is nested deeper than the stack.
      if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    }
  }
  return null;
}

/** Returns the children of a node in the order of the source. */
export function childNodes(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  // `for in` makes no list of entries: the tree of a large script has millions of nodes.
  for (const key in node) {
    const value: unknown = node[key as keyof AnyNode];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) for (const item of value) pushNode(children, item);
    else pushNode(children, value);
  }
  return children;
}

function pushNode(nodes: AnyNode[], value: unknown): void {
  // In Acorn's trees only nodes have a `type` that is a string.
  const node = value as AnyNode | null;
  if (typeof node?.type === 'string') nodes.push(node);
}

/**
 * Yields every node of a tree in the order of the source. It does not recurse, because
 * trees may be deeper than the stack.
 */
export function* allNodes(root: AnyNode): Generator<AnyNode> {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    const children = childNodes(node);
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as AnyNode); // Within its length.
  }
}

export type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

export function isFunction(node: AnyNode | null | undefined): node is FunctionNode {
  return (
    node?.type === 'FunctionDeclaration' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'ArrowFunctionExpression'
  );
}

/**
 * Returns `window.location.href` as ['window', 'location', 'href']; null for
 * anything but a plain chain of names.
 */
export function nameChain(node: AnyNode): string[] | null {
  const names: string[] = [];
  let at: AnyNode = node.type === 'ChainExpression' ? node.expression : node;
  while (at.type === 'MemberExpression') {
    const { property } = at;
    if (!at.computed && property.type === 'Identifier') names.unshift(property.name);
    else if (property.type === 'Literal' && typeof property.value === 'string') names.unshift(property.value);
    else return null;
    at = at.object;
  }
  if (at.type !== 'Identifier') return null;
  names.unshift(at.name);
  return names;
}

/** Longer sums give null: no real address has more parts. */
const maxSumParts = 100;

/**
 * Returns the known beginning of an expression's text: a literal, a template or a sum up to its first unknown
 * part, or the value of a name in `constants`. Returns null if not even the beginning is known.
 */
export function literalStart(node: AnyNode, constants: ReadonlyMap<string, string>): string | null {
  const parts: AnyNode[] = [];
  let leftmost = node;
  while (leftmost.type === 'BinaryExpression' && leftmost.operator === '+') {
    parts.push(leftmost.right);
    leftmost = leftmost.left;
    if (parts.length > maxSumParts) return null;
  }
  let text = literalOf(leftmost, constants);
  let known = !isOpenEnded(leftmost);
  while (text !== null && known) {
    const part = parts.pop();
    const next = part ? literalOf(part, constants) : null;
    if (!part || next === null) return text;
    text += next;
    known = !isOpenEnded(part);
  }
  return text;
}

function literalOf(node: AnyNode, constants: ReadonlyMap<string, string>): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.cooked ?? null;
  if (node.type === 'Identifier') return constants.get(node.name) ?? null;
  return null;
}

/** Returns whether a node is a template with an expression: the text after its first piece is unknown. */
function isOpenEnded(node: AnyNode): boolean {
  return node.type === 'TemplateLiteral' && node.expressions.length > 0;
}

/**
 * Returns the text of a literal or template, with a space for each expression in it; null for other nodes.
 */
export function stringOf(node: AnyNode): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return node.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked ?? '').join(' ')
    : null;
}
