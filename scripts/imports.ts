/** One import or re-export of a module, as it stands in the source. */
export interface Import {
  specifier: string;
  /** From 1. */
  line: number;
}

/**
 * `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`. A pattern is enough for code that a
 * formatter has laid out: statements begin a line.
 */
const statement =
  /^[ \t]*(?:import|export)\b(?:[^'"`;()=]*\bfrom)?\s*['"](?<from>[^'"\n]+)['"]|\bimport\(\s*['"](?<call>[^'"\n]+)['"]/gmu;

export function importsOf(source: string): Import[] {
  const imports: Import[] = [];
  for (const match of source.matchAll(statement)) {
    const specifier = match.groups?.from ?? match.groups?.call;
    if (specifier === undefined) continue;
    const end = match.index + match[0].length;
    imports.push({ specifier, line: source.slice(0, end).split('\n').length });
  }
  return imports;
}
