import type { AnyNode, BinaryExpression } from 'acorn';
import { childNodes, nameChain, stringOf } from './script-tree.ts';

/** What every browser that runs games has. */
const features = new Set([
  'addEventListener',
  'fetch',
  'getContext',
  'Promise',
  'querySelector',
  'requestAnimationFrame',
  'WebAssembly',
  'WebGLRenderingContext',
  'Worker',
]);

/**
 * Returns the children of a node without the branch that no browser takes. Engines send browsers without a canvas to a
 * page of their maker (Clickteam Fusion: `if (!document.createElement('canvas').getContext) window.open(…, '_self')`),
 * and nobody has such a browser.
 */
export function takenChildren(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression': {
      const answer = answerOf(node.test);
      if (answer === null) return childNodes(node);
      const taken = answer ? node.consequent : node.alternate;
      return taken ? [node.test, taken] : [node.test];
    }
    case 'LogicalExpression':
      return isDecided(node.operator, answerOf(node.left)) ? [node.left] : childNodes(node);
    default:
      return childNodes(node);
  }
}

/** Returns whether the left side alone gives the answer. */
function isDecided(operator: string, left: boolean | null): boolean {
  return (operator === '&&' && left === false) || (operator === '||' && left === true);
}

/** Returns what a test for features gives in every browser; null for all other expressions. */
function answerOf(node: AnyNode): boolean | null {
  switch (node.type) {
    case 'UnaryExpression': {
      const answer = node.operator === '!' ? answerOf(node.argument) : null;
      return answer === null ? null : !answer;
    }
    case 'LogicalExpression': {
      const sides = [answerOf(node.left), answerOf(node.right)];
      if (sides.some((side) => isDecided(node.operator, side))) return node.operator === '||';
      return sides.includes(null) || node.operator === '??' ? null : node.operator === '&&';
    }
    case 'BinaryExpression':
      return comparisonOf(node);
    default:
      return isFeature(node) ? true : null;
  }
}

/** Reads `'getContext' in canvas` and `typeof WebAssembly === 'undefined'`. */
function comparisonOf({ operator, left, right }: BinaryExpression): boolean | null {
  if (operator === 'in') return features.has(stringOf(left) ?? '') ? true : null;
  const isSame = operator === '===' || operator === '==';
  if (!isSame && operator !== '!==' && operator !== '!=') return null;
  const asked = left.type === 'UnaryExpression' && left.operator === 'typeof' ? left.argument : null;
  return asked && isFeature(asked) && stringOf(right) === 'undefined' ? !isSame : null;
}

/** Returns whether a node is the name of a feature: alone, of the window or the document, or of a new canvas. */
function isFeature(node: AnyNode): boolean {
  const chain = nameChain(node);
  if (chain) {
    const isOfWindow = chain.slice(0, -1).every((name) => name === 'window' || name === 'document');
    return isOfWindow && features.has(chain.at(-1) ?? '');
  }
  if (node.type !== 'MemberExpression' || node.object.type !== 'CallExpression') return false;
  const { callee, arguments: given } = node.object;
  const isCanvas =
    nameChain(callee)?.at(-1) === 'createElement' && given[0] && stringOf(given[0]) === 'canvas';
  return isCanvas === true && node.property.type === 'Identifier' && node.property.name === 'getContext';
}
