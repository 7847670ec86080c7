/** One import or re-export in a source. */
export interface Import {
  specifier: string;
  /** The import clause as written: `{ openStore, type Store }`; empty for a bare or a dynamic import. */
  clause: string;
  /** Whether it is a re-export. */
  exports: boolean;
  /** Line of the specifier, from 1. */
  line: number;
}

/**
 * Matches `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`. A pattern is enough,
 * because a formatter has laid out the code: statements begin a line.
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
