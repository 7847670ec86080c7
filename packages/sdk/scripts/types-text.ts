import { readFileSync } from 'node:fs';

/** The sources that declare what games see, relative to this file. */
const sources = ['../src/types.ts', '../../contract/src/sdk-protocol.ts', '../../contract/src/made.ts'];
/** What nothing else refers to, in the order of the file. */
const roots = ['Spaceport', 'SpaceportError', 'SpaceportEvents'];

interface Declaration {
  readonly name: string;
  /** Its comment and its lines, without `export`. */
  readonly text: string;
}

/**
 * Returns the declarations of the global `Spaceport` as one file, which needs no package and no compiler to be
 * made: the module's own types, as they are written in the sources.
 */
export function typesText(): string {
  const all = sources.flatMap((path) => declarationsOf(readFileSync(new URL(path, import.meta.url), 'utf8')));
  const needed = new Set(roots);
  // Names that are added while the loop runs are visited too.
  for (const name of needed) {
    const code = named(all, name).text.replaceAll(/\/\*\*.*?\*\//gsu, '');
    for (const other of all) if (new RegExp(`\\b${other.name}\\b`, 'u').test(code)) needed.add(other.name);
  }
  const declared = [...needed]
    .map((name) => named(all, name).text.replace(/^interface Spaceport \{$/mu, 'interface Api {'))
    .join('\n\n');
  return `// The types of the player module: of the global \`Spaceport\` in every page of a space.
// Written by packages/sdk/scripts/write-types.ts.

declare var Spaceport: Spaceport.Api;

declare namespace Spaceport {
${declared.replaceAll(/^(?=.)/gmu, '  ')}
}
`;
}

function named(all: readonly Declaration[], name: string): Declaration {
  const found = all.find((declaration) => declaration.name === name);
  if (found === undefined) throw new Error(`No source declares ${name}`);
  return found;
}

/** Returns the interfaces and types that a source exports, each with the comment before it. */
function declarationsOf(source: string): Declaration[] {
  const found: Declaration[] = [];
  let comment: string[] = [];
  let open: { name: string; lines: string[] } | null = null;
  for (const line of source.split('\n')) {
    const name = /^export (?:interface|type) (\w+)/u.exec(line)?.[1];
    if (name !== undefined) open = { name, lines: [...comment, line.replace('export ', '')] };
    else open?.lines.push(line);
    const isComment = /^(?:\/\*\*| \*)/u.test(line);
    comment = isComment ? [...(line.startsWith('/**') ? [] : comment), line] : [];
    // The formatter ends an interface with a bracket of its own line, and a type with a semicolon outside of any.
    if (open === null || !(line === '}' || (line.endsWith(';') && isBalanced(open.lines)))) continue;
    found.push({ name: open.name, text: open.lines.join('\n') });
    open = null;
  }
  return found;
}

function isBalanced(lines: readonly string[]): boolean {
  const brackets = lines.join('').match(/[{}]/gu) ?? [];
  return brackets.filter((bracket) => bracket === '{').length * 2 === brackets.length;
}
