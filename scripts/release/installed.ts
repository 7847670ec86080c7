import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The parts of an installed package's package.json that are used here. */
interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns the folders of installed packages and of all their dependencies, from the checkout's root, sorted.
 * @param from the folder whose code imports them
 * @throws an error if a needed package is not installed
 */
export function installedFor(root: string, from: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (folder: string, name: string, isOptional: boolean): void => {
    const at = folderOf(root, folder, name);
    if (at === null) {
      // An optional package for another kind of machine is not installed.
      if (isOptional) return;
      throw new Error(`${relative(root, folder)} needs ${name}, which is not installed.`);
    }
    if (found.has(at)) return;
    found.add(at);
    const { dependencies = {}, optionalDependencies = {} } = needsOf(at);
    for (const each of Object.keys(optionalDependencies)) visit(at, each, true);
    for (const each of Object.keys(dependencies)) visit(at, each, each in optionalDependencies);
  };
  for (const name of names) visit(from, name, false);
  return [...found].map((at) => relative(root, at)).sort();
}

/** Returns where Node finds a package: in the nearest node_modules upwards. */
function folderOf(root: string, from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const at = join(folder, 'node_modules', name);
    if (existsSync(join(at, 'package.json'))) return at;
    if (folder === root || folder === dirname(folder)) return null;
  }
}

function needsOf(folder: string): Needs {
  // npm has parsed the same file.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Needs;
}
