/** One import or re-export of a module, as it stands in the source. */
export interface Import {
  specifier: string;
  /** What is taken from it, as written: `{ openStore, type Store }`; empty for a bare or a dynamic import. */
  clause: string;
  /** It is a re-export. */
  exports: boolean;
  /** Of the specifier, from 1. */
  line: number;
}

/**
 * `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`. A pattern is enough for code that a
 * formatter has laid out: statements begin a line.
 */
const statement =
  /^[ \t]*(?:import|export)\b(?:(?<clause>[^'"`;()=]*)\bfrom)?\s*['"](?<from>[^'"\n]+)['"]|\bimport\(\s*['"](?<call>[^'"\n]+)['"]/gmu;

export function importsOf(source: string): Import[] {
  const imports: Import[] = [];
  for (const match of source.matchAll(statement)) {
    const specifier = match.groups?.from ?? match.groups?.call;
    if (specifier === undefined) continue;
    const end = match.index + match[0].length;
    const clause = match.groups?.clause?.trim() ?? '';
    const exports = match[0].trimStart().startsWith('export');
    imports.push({ specifier, clause, exports, line: source.slice(0, end).split('\n').length });
  }
  return imports;
}
