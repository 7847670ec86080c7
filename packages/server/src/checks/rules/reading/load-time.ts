import type { AnyNode, CallExpression, Program } from 'acorn';
import { takenChildren } from './feature-tests.ts';
import { allNodes, type FunctionNode, isFunction, nameChain } from './script-tree.ts';

/** Functions that call their arguments soon, without an action of the player. */
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
 * Returns the nodes of a script that run at load: those outside functions, and those in a
 * function that is called where it is written, passed to a timer or a load event, or called by
 * such code under a name declared once. What only browsers without a canvas or the like would run is left out.
 */
export function loadTimeNodes(program: Program): Set<AnyNode> {
  const declared = declaredFunctions(program);
  const called = new Set<FunctionNode>();
  const seen = new Set<AnyNode>();
  const waiting: AnyNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    // A declared function is reached twice when it is called: by the call, and at its place.
    if (seen.has(node)) continue;
    seen.add(node);
    for (const name of namesCalled(node)) callFunction(declared.get(name), called, waiting);
    markCalled(node, called);
    for (const child of takenChildren(node)) if (!isFunction(child) || called.has(child)) waiting.push(child);
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

/** Returns functions by name; null for names declared twice, where it is unknown which is meant. */
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

/** Marks functions that are called where they are written. */
function markCalled(node: AnyNode, called: Set<FunctionNode>): void {
  if (node.type === 'AssignmentExpression' && isFunction(node.right)) {
    if (loadHandlers.has(nameChain(node.left)?.at(-1) ?? '')) called.add(node.right);
  }
  // In `(function () {}.call(this))` the function is inside the member access, one step further in.
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
