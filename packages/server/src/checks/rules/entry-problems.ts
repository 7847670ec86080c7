import type { Finding } from '@spaceport/contract/hosting';
import type { CheckedVersion, Rule } from '../rule.ts';
import { ruleFindings, shown } from './finding.ts';
import { encodePath } from './off-site.ts';
import { eachFile } from './reading/each-file.ts';
import type { ReadFile } from './reading/read-file.ts';

const finding = ruleFindings('entry-problems');
const maxProblemsPerFile = 20;
/** Given by the service on every content host. */
const servicePath = /^service\//u;
const localFile = /^\s*(?:file:|[A-Za-z]:[\\/]|\\\\)/iu;
const localHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/iu;

interface Reference {
  readonly url: string;
  /** As in `script src`. */
  readonly by: string;
}

/**
 * Files that the entry page, or a module of the version, asks for and will not get. Warnings only: the page may still be
 * what its creator wants. They say what a person would find in the browser's console.
 */
export const entryProblems: Rule = {
  name: 'entry-problems',
  check(version) {
    const paths = new Map(version.files.map(({ path }) => [path.toLowerCase(), path]));
    const exact = new Set(version.files.map(({ path }) => path));
    return eachFile(version, {
      async visit(file) {
        const facts = await file.facts();
        if (!facts) return [];
        const references = [
          ...(file.path === version.entry ? facts.references : []),
          // Bare names are for an import map, or for a bundler that has not run.
          ...facts.imports.filter((one) => /^\.{0,2}\//u.test(one)).map((url) => ({ url, by: 'import' })),
        ];
        const problems = new Map<string, Finding>();
        for (const reference of references) {
          if (problems.size >= maxProblemsPerFile) break;
          const problem = problemOf(reference, file, version, facts.base, exact, paths);
          if (problem) problems.set(reference.url, problem);
        }
        return [...problems.values()];
      },
    });
  },
};

function problemOf(
  { url, by }: Reference,
  { path }: Pick<ReadFile, 'path'>,
  version: CheckedVersion,
  base: string | null,
  exact: ReadonlySet<string>,
  folded: ReadonlyMap<string, string>,
): Finding | null {
  const written = `${by} "${shown(url)}"`;
  if (localFile.test(url)) {
    const message = `${written} is a path on your own machine: nobody else has it.`;
    return finding(
      'warn',
      path,
      message,
      'Put the file into the upload and name it by its path from the page.',
    );
  }
  const page = new URL(encodePath(path), `${version.origin}/`);
  const target = URL.parse(url, base === null ? page : (URL.parse(base, page) ?? page));
  if (!target) return finding('warn', path, `${written} is not an address.`, 'Correct it, or take it out.');
  if (target.protocol === 'http:' && target.host !== page.host) return insecure(path, written, target);
  if (target.host !== page.host || !/^https?:$/u.test(target.protocol)) return null;
  const wanted = pathOf(target);
  if (wanted === null || servicePath.test(wanted)) return null;
  if (exact.has(wanted) || exact.has(`${wanted}index.html`) || exact.has(`${wanted}/index.html`)) return null;
  return missing(path, written, url, wanted, folded);
}

function insecure(path: string, written: string, { hostname }: URL): Finding {
  return localHost.test(hostname)
    ? finding(
        'warn',
        path,
        `${written} is on your own machine: nobody else reaches it.`,
        'Put the file into the upload and name it by its path from the page.',
      )
    : finding(
        'warn',
        path,
        `${written} is loaded over http: browsers refuse that on a page served over https.`,
        'Load it over https, or put the file into the upload.',
      );
}

function missing(
  path: string,
  written: string,
  url: string,
  wanted: string,
  folded: ReadonlyMap<string, string>,
): Finding {
  const otherCase = folded.get(wanted.toLowerCase());
  if (otherCase !== undefined) {
    const message = `${written} is not in the upload: ${wanted} is there as ${otherCase}.`;
    return finding('warn', path, message, `Write it as ${otherCase}; upper and lower case differ here.`);
  }
  const fromRoot = url.trim().startsWith('/') ? withoutFirstFolders(wanted, folded) : undefined;
  if (fromRoot !== undefined) {
    const message = `${written} is not in the upload: it begins with "/", and ${fromRoot} is at another place.`;
    return finding('warn', path, message, `Write it as ${fromRoot}, or build with a relative base ("./").`);
  }
  return finding(
    'warn',
    path,
    `${written} is not in the upload: there is no ${shown(wanted)}.`,
    'Add the file, or take the reference out.',
  );
}

/** `/my-game/assets/a.js`, made for a site with a folder in front: `assets/a.js`, if that is there. */
function withoutFirstFolders(wanted: string, folded: ReadonlyMap<string, string>): string | undefined {
  const segments = wanted.split('/');
  for (let from = 1; from < segments.length; from++) {
    const found = folded.get(segments.slice(from).join('/').toLowerCase());
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path in the version that a URL of it names; null for one that no path can be. */
function pathOf({ pathname }: URL): string | null {
  try {
    return decodeURIComponent(pathname.slice(1)).normalize('NFC');
  } catch {
    return null;
  }
}
