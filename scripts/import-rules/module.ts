import { posix } from 'node:path';
import { type Import, importsOf } from '../imports.ts';
import { firstStatement, type TableUse, tablesOf } from './statements.ts';

/** A source file, placed in the layout that docs/architecture.md describes. */
export interface Module {
  /** Path from the checkout's root, with `/`. */
  path: string;
  /** `server` of packages/server; null outside packages, as in scripts and bench. */
  workspace: string | null;
  /** Whether it is a test or a test helper, which may import more than the product. */
  isTest: boolean;
  /** The part of the server, for files in packages/server/src. */
  part: ServerPart | null;
  imports: Target[];
  /** The tables that its queries name. */
  tables: TableUse[];
  /** The line of its first SQL statement; null if it has none. */
  firstStatement: number | null;
}

export type ServerPart =
  /** The platform, which may not know any feature. */
  | { kind: 'platform' }
  | { kind: 'feature'; name: string }
  /** The composition root, which builds the service: app.ts, main.ts and the files that they run. */
  | { kind: 'root' };

/** An import with its target. */
export interface Target extends Import {
  kind: 'file' | 'workspace' | 'node' | 'npm';
  /** A file's path from the checkout's root, or the name of a workspace or package. */
  to: string;
}

const scope = '@spaceport/';

export function readModule(path: string, source: string): Module {
  const [packages, workspace] = path.split('/');
  return {
    path,
    workspace: packages === 'packages' && workspace !== undefined ? workspace : null,
    isTest: path.endsWith('.test.ts') || /^packages\/[^/]+\/test\//u.test(path),
    part: partOf(path),
    imports: importsOf(source).map((each) => ({ ...each, ...pointAt(path, each.specifier) })),
    tables: tablesOf(source),
    firstStatement: firstStatement(source),
  };
}

export function partOf(path: string): ServerPart | null {
  const inside = /^packages\/server\/src\/(?<rest>.+)$/u.exec(path)?.groups?.rest;
  if (inside === undefined) return null;
  const [folder = '', ...deeper] = inside.split('/');
  if (deeper.length === 0 || folder === 'commands') return { kind: 'root' };
  return folder === 'platform' ? { kind: 'platform' } : { kind: 'feature', name: folder };
}

function pointAt(from: string, specifier: string): Pick<Target, 'kind' | 'to'> {
  if (specifier.startsWith('.'))
    return { kind: 'file', to: posix.join(posix.dirname(from), specifier.replace(/\?.*$/u, '')) };
  if (specifier.startsWith('node:')) return { kind: 'node', to: specifier };
  if (specifier.startsWith(scope))
    return { kind: 'workspace', to: specifier.slice(scope.length).split('/', 1)[0] ?? '' };
  const [first = '', second = ''] = specifier.split('/');
  return { kind: 'npm', to: first.startsWith('@') ? `${first}/${second}` : first };
}
