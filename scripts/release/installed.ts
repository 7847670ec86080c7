import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What is read of the package.json of an installed package. */
interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * The folders of packages as they are installed, with all that these need in turn, from the checkout's root; ascending.
 * @param from the folder whose code imports them
 * @throws where one that is needed is not installed
 */
export function installedFor(root: string, from: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (folder: string, name: string, isOptional: boolean): void => {
    const at = folderOf(root, folder, name);
    if (at === null) {
      // One for another machine, which this one has no use for.
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

/** Where Node finds it: in the nearest node_modules upwards. */
function folderOf(root: string, from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const at = join(folder, 'node_modules', name);
    if (existsSync(join(at, 'package.json'))) return at;
    if (folder === root || folder === dirname(folder)) return null;
  }
}

function needsOf(folder: string): Needs {
  // npm has read it too.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Needs;
}
