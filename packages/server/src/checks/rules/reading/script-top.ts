import type { AnyNode, Program } from 'acorn';
import { addSome, type Facts } from './facts.ts';
import { allNodes, childNodes, isFunction, nameChain } from './script-tree.ts';

/** What a window of another site lets scripts read (HTML standard, CrossOriginProperties). */
const open = new Set(
  'blur close closed focus frames length opener parent postMessage self then top window'.split(' '),
);

/**
 * Adds what a script wants of `top`, the window around the frame, and gets an error for: all but messages and the like
 * of a window of another site, and `location` to send it elsewhere. What is inside of `try` is left out.
 */
export function takeTop(facts: Facts, program: Program): void {
  const isOwn = declaresTop(program);
  const names = new Set<string>();
  const waiting: AnyNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const name = refused(node, isOwn);
    if (name !== null) names.add(name);
    const caught = node.type === 'TryStatement' && node.handler ? node.block : null;
    for (const child of childNodes(node)) if (child !== caught) waiting.push(child);
  }
  for (const name of names) addSome(facts.ofTop, name);
}

function refused(node: AnyNode, isOwn: boolean): string | null {
  if (node.type === 'AssignmentExpression') {
    const wanted = ofTop(node.left, isOwn);
    return wanted?.length === 1 && wanted[0] === 'location' ? 'top.location' : null;
  }
  if (node.type !== 'MemberExpression') return null;
  const [first, second, ...more] = ofTop(node, isOwn) ?? [];
  if (first === undefined || more.length > 0) return null;
  if (first === 'location') return second === undefined ? null : `top.location.${second}`;
  return second !== undefined || open.has(first) ? null : `top.${first}`;
}

/** `window.top.location.href`, and one name more. */
const mostNames = 5;

/** Returns the names after `top`; null for other names, and for longer chains, which take quadratic time. */
function ofTop(node: AnyNode, isOwn: boolean): string[] | null {
  let innermost = node;
  for (let names = 1; innermost.type === 'MemberExpression'; names++) {
    if (names === mostNames) return null;
    innermost = innermost.object;
  }
  const chain = innermost.type === 'Identifier' ? nameChain(node) : null;
  if (!chain) return null;
  const isOfWindow = chain[1] === 'top' && (chain[0] === 'window' || chain[0] === 'self');
  if (isOfWindow) return chain.slice(2);
  return chain[0] === 'top' && !isOwn ? chain.slice(1) : null;
}

/** Returns whether the script has a variable `top` somewhere: many games have, for the place of something. */
function declaresTop(program: Program): boolean {
  for (const node of allNodes(program)) {
    if (node.type === 'VariableDeclarator' && namesTop(node.id)) return true;
    if (isFunction(node) && node.params.some(namesTop)) return true;
    if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier' && node.left.name === 'top')
      return true;
  }
  return false;
}

function namesTop(pattern: AnyNode): boolean {
  for (const node of allNodes(pattern)) if (node.type === 'Identifier' && node.name === 'top') return true;
  return false;
}
