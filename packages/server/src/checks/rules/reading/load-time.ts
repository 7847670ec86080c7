import type { AnyNode, CallExpression, Program } from 'acorn';
import { childNodes, type FunctionNode, isFunction, nameChain } from './script-tree.ts';

/** Functions that call what they are given, soon and unasked. */
const schedulers = new Set([
  'setTimeout',
  'setInterval',
  'queueMicrotask',
  'requestAnimationFrame',
  'ready',
  '$',
  'jQuery',
]);
const loadEvents = new Set(['load', 'DOMContentLoaded', 'pageshow', 'readystatechange']);
const loadHandlers = new Set(['onload', 'onpageshow', 'onreadystatechange']);

interface Visit {
  readonly node: AnyNode;
  /** True where it runs by loading the script: no click, no later call. */
  readonly atLoad: boolean;
}

/**
 * Every node of a script, and whether it runs at load: outside functions, in one called on the spot, in one given to a
 * timer or a load event, or in one that such code calls by a name declared once.
 */
export function* loadTimeNodes(program: Program): Generator<Visit> {
  const declared = declaredFunctions(program);
  const called = new Set<FunctionNode>();
  const seen = new Set<FunctionNode>();
  const waiting: Visit[] = [{ node: program, atLoad: true }];
  const later: FunctionNode[] = [];
  for (;;) {
    const visit = waiting.pop() ?? nextFunction(later, called);
    if (!visit) return;
    const { node, atLoad } = visit;
    // A declaration comes up twice when it is called: by the call, and at its place.
    if (isFunction(node) && seen.has(node)) continue;
    if (isFunction(node)) seen.add(node);
    yield visit;
    if (atLoad) for (const name of namesCalled(node)) callFunction(declared.get(name), called, waiting);
    if (atLoad) markCalled(node, called);
    // Reversed, since the last put in is the first taken out: constants are read before their use.
    for (const child of childNodes(node).reverse()) {
      if (!isFunction(child) || !atLoad) waiting.push({ node: child, atLoad });
      else if (called.has(child)) waiting.push({ node: child, atLoad: true });
      else later.push(child);
    }
  }
}

/** Functions put aside, once it is known which of them load-time code calls. */
function nextFunction(later: FunctionNode[], called: ReadonlySet<FunctionNode>): Visit | null {
  for (;;) {
    const node = later.pop();
    if (!node) return null;
    if (!called.has(node)) return { node, atLoad: false };
  }
}

function callFunction(
  node: FunctionNode | null | undefined,
  called: Set<FunctionNode>,
  waiting: Visit[],
): void {
  if (!node || called.has(node)) return;
  called.add(node);
  waiting.push({ node, atLoad: true });
}

/** Functions by name; null for names declared twice, of which nobody knows which is meant. */
function declaredFunctions(program: Program): Map<string, FunctionNode | null> {
  const declared = new Map<string, FunctionNode | null>();
  const waiting: AnyNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    let name: string | undefined;
    let body: AnyNode | null | undefined;
    if (node.type === 'FunctionDeclaration') [name, body] = [node.id?.name, node];
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      [name, body] = [node.id.name, node.init];
    if (name && isFunction(body)) declared.set(name, declared.has(name) ? null : body);
    for (const child of childNodes(node)) waiting.push(child);
  }
  return declared;
}

function namesCalled(node: AnyNode): string[] {
  if (node.type === 'AssignmentExpression' && node.right.type === 'Identifier') {
    return loadHandlers.has(nameChain(node.left)?.at(-1) ?? '') ? [node.right.name] : [];
  }
  if (node.type !== 'CallExpression') return [];
  const names = node.callee.type === 'Identifier' ? [node.callee.name] : [];
  for (const argument of calledArguments(node)) if (argument.type === 'Identifier') names.push(argument.name);
  return names;
}

/** Functions written where they are called. */
function markCalled(node: AnyNode, called: Set<FunctionNode>): void {
  if (node.type === 'AssignmentExpression' && isFunction(node.right)) {
    if (loadHandlers.has(nameChain(node.left)?.at(-1) ?? '')) called.add(node.right);
  }
  // `(function () {}.call(this))` has the function one step further in, where its member access is visited.
  if (node.type === 'MemberExpression' && isFunction(node.object)) called.add(node.object);
  if (node.type !== 'CallExpression') return;
  if (isFunction(node.callee)) called.add(node.callee);
  for (const argument of calledArguments(node)) if (isFunction(argument)) called.add(argument);
}

function calledArguments(call: CallExpression): AnyNode[] {
  const [first, second] = call.arguments;
  const callee = call.callee.type === 'MemberExpression' ? call.callee.property : call.callee;
  const name = callee.type === 'Identifier' ? callee.name : '';
  if (name === 'addEventListener' && first?.type === 'Literal' && second) {
    return typeof first.value === 'string' && loadEvents.has(first.value) ? [second] : [];
  }
  return schedulers.has(name) && first ? [first] : [];
}
