import type { AnyNode } from 'acorn';
import { add, type Facts } from './facts.ts';
import { literalStart, nameChain, stringOf } from './script-tree.ts';

type Constants = ReadonlyMap<string, string>;

const windows = new Set(['window', 'self', 'top', 'parent', 'document', 'globalThis', 'frames']);

/**
 * Returns the URL that a node redirects the whole page to: by `location = …`, `location.href = …`,
 * `location.replace(…)` and `assign`, `navigation.navigate(…)` or `open(…, '_self')`, with any name of the
 * window before it. Returns as much of the URL as is known, and null for other nodes.
 */
export function redirectTarget(node: AnyNode, constants: Constants): string | null {
  if (node.type === 'AssignmentExpression') {
    const chain = node.operator === '=' ? nameChain(node.left) : null;
    const isTarget =
      chain && (isLocation(chain) || (chain.at(-1) === 'href' && isLocation(chain.slice(0, -1))));
    return isTarget ? literalStart(node.right, constants) : null;
  }
  if (node.type !== 'CallExpression') return null;
  const [first, second] = node.arguments;
  const chain = first ? nameChain(node.callee) : null;
  if (!first || !chain) return null;
  const object = chain.slice(0, -1);
  const method = chain.at(-1);
  if (method === 'open' && object.every((name) => windows.has(name))) {
    const target = second ? literalStart(second, constants) : null;
    return /^_(?:self|top|parent)$/iu.test(target ?? '') ? literalStart(first, constants) : null;
  }
  const leaves =
    ((method === 'replace' || method === 'assign') && isLocation(object)) ||
    (method === 'navigate' && object.at(-1) === 'navigation');
  return leaves ? literalStart(first, constants) : null;
}

/** Adds a literal URL that a node assigns to the `action` of a form, as a property or an attribute. */
export function takeAction(facts: Facts, node: AnyNode, constants: Constants): void {
  let value: AnyNode | undefined;
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    const { property } = node.left;
    if (property.type === 'Identifier' && /^(?:action|formAction)$/u.test(property.name)) value = node.right;
  } else if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { property } = node.callee;
    const [name, second] = node.arguments;
    const isSet = property.type === 'Identifier' && property.name === 'setAttribute';
    if (isSet && name && /^(?:form)?action$/iu.test(stringOf(name) ?? '')) value = second;
  }
  const url = value ? literalStart(value, constants) : null;
  if (url?.includes('//')) add(facts.assignedActions, url);
}

function isLocation(chain: readonly string[]): boolean {
  return chain.at(-1) === 'location' && chain.slice(0, -1).every((name) => windows.has(name));
}
