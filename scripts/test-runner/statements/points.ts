import { stripTypeScriptTypes } from 'node:module';
import process from 'node:process';
import { type AnyNode, parse } from 'acorn';

/**
 * A place in a file of queries that runs when a statement is made: a function, or a branch in one. A branch
 * that calls nothing, such as an early return, makes no statement and is not a point.
 */
export interface Point {
  /** The top-level function or constant that contains the point; `/1`, `/2` … for its further points. */
  readonly name: string;
  readonly line: number;
}

/**
 * Returns the module without types, with a call of `reach` at each of its points, and the points by number.
 * Line numbers do not change.
 */
export function withPoints(source: string, reach: string): { code: string; points: Point[] } {
  const script = withoutTypes(source);
  const points: Point[] = [];
  const inserted: { at: number; text: string }[] = [];
  const tree = parse(script, { ecmaVersion: 'latest', sourceType: 'module', locations: true });

  const call = (node: AnyNode, owner: string): string => {
    if (!callsSomething(node)) return '0';
    const inside = points.filter(({ name }) => name === owner || name.startsWith(`${owner}/`)).length;
    points.push({ name: inside === 0 ? owner : `${owner}/${inside}`, line: node.loc?.start.line ?? 0 });
    return `${reach}(${points.length - 1})`;
  };
  const beforeStatements = (node: AnyNode, owner: string) =>
    inserted.push({ at: node.start + 1, text: `${call(node, owner)};` });
  const beforeExpression = (node: AnyNode, owner: string) => {
    inserted.push({ at: node.start, text: `(${call(node, owner)}, ` });
    inserted.push({ at: node.end, text: ')' });
  };
  const beforeStatement = (node: AnyNode, owner: string) => {
    if (node.type === 'BlockStatement') beforeStatements(node, owner);
    else {
      inserted.push({ at: node.start, text: `{${call(node, owner)};` });
      inserted.push({ at: node.end, text: '}' });
    }
  };

  const visit = (node: AnyNode, owner: string): void => {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        beforeStatements(node.body, owner);
        break;
      case 'ArrowFunctionExpression':
        if (node.body.type === 'BlockStatement') beforeStatements(node.body, owner);
        else beforeExpression(node.body, owner);
        break;
      case 'ConditionalExpression':
        beforeExpression(node.consequent, owner);
        beforeExpression(node.alternate, owner);
        break;
      case 'LogicalExpression':
        beforeExpression(node.right, owner);
        break;
      case 'IfStatement':
        beforeStatement(node.consequent, owner);
        if (node.alternate) beforeStatement(node.alternate, owner);
        break;
      default:
    }
    for (const child of childrenOf(node)) visit(child, owner);
  };
  for (const node of tree.body) for (const { name, inner } of named(node)) visit(inner, name);

  let code = '';
  let from = 0;
  // Order of texts that are inserted at one place: an end before a beginning, and of two beginnings the outer
  // one, which was added first.
  const order = inserted
    .map((one, index) => ({ ...one, index, ends: one.text === ')' || one.text === '}' }))
    .sort((a, b) => a.at - b.at || Number(b.ends) - Number(a.ends) || a.index - b.index);
  for (const { at, text } of order) {
    code += script.slice(from, at) + text;
    from = at;
  }
  return { code: code + script.slice(from), points };
}

function callsSomething(node: AnyNode): boolean {
  return (
    node.type === 'CallExpression' ||
    node.type === 'TaggedTemplateExpression' ||
    childrenOf(node).some(callsSomething)
  );
}

/** Strips types as node does, without node's warning that this is experimental. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns the declarations of a top-level statement, each with its name. */
function named(node: AnyNode): { name: string; inner: AnyNode }[] {
  const declared = node.type === 'ExportNamedDeclaration' ? (node.declaration ?? node) : node;
  if (declared.type === 'FunctionDeclaration') return [{ name: declared.id?.name ?? 'it', inner: declared }];
  if (declared.type === 'VariableDeclaration')
    return declared.declarations.map((inner) => ({
      name: inner.id.type === 'Identifier' ? inner.id.name : 'it',
      inner,
    }));
  return [{ name: 'it', inner: declared }];
}

function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flatMap((value: unknown) =>
    (Array.isArray(value) ? value : [value]).filter(isNode),
  );
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
