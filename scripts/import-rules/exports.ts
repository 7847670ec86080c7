import { readModule, type Target } from './module.ts';
import type { Violation } from './violation.ts';

/** Files whose exports are found by other means than an import, with the reason. */
const open: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^packages\/(?:contract|client)\/src\//u, 'packages that other people import too'],
  [/^packages\/sdk\/src\/index\.ts$/u, 'the module for pages that bundle it'],
  [
    /^packages\/web\/src\/(?:start-page|.+\.page)\.tsx$/u,
    'build/page-entries.ts makes an entry of each page',
  ],
  [/^packages\/web\/src\/entry-server\.tsx$/u, 'the server loads it as it was built'],
  [/^packages\/cli\/src\/mcp\/shims\.ts$/u, "vite.config.ts puts it in place of a package's module"],
  [/\/migrations\/\d{4}-[\w-]+\.ts$/u, 'run in the order of their names'],
  [/^bench\/[\w-]+\.bench\.ts$/u, 'bench/run.ts runs them by name'],
  [/\.test\.tsx?$/u, 'no other file may use a test'],
];

const declared = /^export (?:async )?(?<kind>function\*?|const|let|class|interface|type) (?<name>[\w$]+)/gmu;

interface User extends Target {
  /** The source of the file that imports. */
  readonly source: string;
}

/**
 * Finds exports that no other file imports: a value that is needed only inside its file, or not at all, and a
 * type that is not used at all. A type that its own file uses may be exported, because it describes what an
 * exported function takes or returns.
 */
export function checkExports(files: ReadonlyMap<string, string>): Violation[] {
  const users = usersOf(files);
  return [...files].flatMap(([path, source]) => {
    if (!/\.tsx?$/u.test(path) || open.some(([pattern]) => pattern.test(path))) return [];
    return [...source.matchAll(declared)].flatMap((match): Violation[] => {
      const { kind = '', name = '' } = match.groups ?? {};
      if (users.get(path)?.some((user) => uses(user, name))) return [];
      const isUsedHere = [...source.matchAll(wordOf(name))].length > 1;
      if (isUsedHere && (kind === 'type' || kind === 'interface')) return [];
      const line = source.slice(0, match.index).split('\n').length;
      const why = isUsedHere ? 'no other file imports it: do not export it' : 'nothing uses it: delete it';
      return [{ path, line, what: `exports ${name}`, why }];
    });
  });
}

/** Returns whether an import takes the name. `import * as` and `import()` take the names that the file has. */
function uses({ clause, exports, source }: User, name: string): boolean {
  const takesAll = clause === '' || clause.includes('*');
  return (takesAll && exports) || wordOf(name).test(takesAll ? source : clause);
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'gu');
}

/** Returns the imports of each file in other files. */
function usersOf(files: ReadonlyMap<string, string>): Map<string, User[]> {
  const all = [...files].flatMap(([path, source]) =>
    readModule(path, source).imports.flatMap((target) =>
      target.kind === 'file' ? { ...target, source } : [],
    ),
  );
  return Map.groupBy(all, ({ to }) => to);
}
