import type { AnyNode } from 'acorn';
import { add, type ControlFacts, type Facts, readable } from './facts.ts';
import { literalStart, nameChain, stringOf } from './script-tree.ts';

/** Properties whose text is shown on or beside a control to type into. */
const controlTexts = new Set(['placeholder', 'label', 'ariaLabel', 'aria-label', 'title', 'helperText']);
const askedFor = /phrase|mnemonic|private key|(?:seed|12|24|twelve|twenty-four)[ -]words/iu;

/** Adds what a node asks the player to type: `prompt('…')`, and texts of fields. */
export function takeAsked(facts: Facts, node: AnyNode, constants: ReadonlyMap<string, string>): void {
  const text = askedText(node, constants);
  if (text) add(facts.controls, { own: readable(text).slice(0, 500), before: '', after: '' });
}

function askedText(node: AnyNode, constants: ReadonlyMap<string, string>): string | null {
  if (node.type === 'CallExpression') {
    const [first] = node.arguments;
    return first && nameChain(node.callee)?.at(-1) === 'prompt' ? literalStart(first, constants) : null;
  }
  let name: string | null = null;
  let value: AnyNode | null = null;
  if (node.type === 'Property' && !node.computed) {
    name = node.key.type === 'Identifier' ? node.key.name : stringOf(node.key);
    value = node.value;
  } else if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    const { property } = node.left;
    // Any object may have a title; only a field has these properties.
    name =
      property.type === 'Identifier' && /^(?:placeholder|ariaLabel)$/u.test(property.name)
        ? property.name
        : null;
    value = node.right;
  }
  const text = name && value && controlTexts.has(name) ? literalStart(value, constants) : null;
  return text && askedFor.test(text) ? text : null;
}

/** Adds texts that name a phrase or key, if the script makes fields: one of these fields may ask for it. */
export function takeTextsBesideControls(
  facts: Facts,
  nodes: readonly AnyNode[],
  texts: readonly string[],
): void {
  const asking = texts.filter((text) => askedFor.test(text));
  if (asking.length === 0 || !nodes.some(makesControl)) return;
  for (const text of new Set(asking)) {
    const control: ControlFacts = { own: '', before: readable(text).slice(-300), after: '' };
    add(facts.controls, control);
  }
}

/**
 * Matches `createElement('textarea')`, and the calls in compiled components:
 * `h('input', …)`, `jsx("input", …)`.
 */
function makesControl(node: AnyNode): boolean {
  if (node.type !== 'CallExpression') return false;
  const [first] = node.arguments;
  return first !== undefined && /^(?:input|textarea)$/iu.test(stringOf(first) ?? '');
}
