import type { AnyNode, CallExpression, Program } from 'acorn';
import { allNodes, childNodes, type FunctionNode, isFunction, nameChain } from './script-tree.ts';

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

/**
 * Which nodes of a script run at load: outside functions, in one called on the spot, in one given to a timer or a load
 * event, or in one that such code calls by a name declared once.
 */
export function loadTimeNodes(program: Program): Set<AnyNode> {
  const declared = declaredFunctions(program);
  const called = new Set<FunctionNode>();
  const seen = new Set<AnyNode>();
  const waiting: AnyNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    // A declaration comes up twice when it is called: by the call, and at its place.
    if (seen.has(node)) continue;
    seen.add(node);
    for (const name of namesCalled(node)) callFunction(declared.get(name), called, waiting);
    markCalled(node, called);
    for (const child of childNodes(node)) if (!isFunction(child) || called.has(child)) waiting.push(child);
  }
  return seen;
}

function callFunction(
  node: FunctionNode | null | undefined,
  called: Set<FunctionNode>,
  waiting: AnyNode[],
): void {
  if (!node || called.has(node)) return;
  called.add(node);
  waiting.push(node);
}

/** Functions by name; null for names declared twice, of which nobody knows which is meant. */
function declaredFunctions(program: Program): Map<string, FunctionNode | null> {
  const declared = new Map<string, FunctionNode | null>();
  for (const node of allNodes(program)) {
    let name: string | undefined;
    let body: AnyNode | null | undefined;
    if (node.type === 'FunctionDeclaration') [name, body] = [node.id?.name, node];
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      [name, body] = [node.id.name, node.init];
    if (name && isFunction(body)) declared.set(name, declared.has(name) ? null : body);
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
