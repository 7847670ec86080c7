import type { Finding } from '@spaceport/contract/versions';
import { decodePath, withSingleSlashes } from '../../serving/find-file.ts';
import { neverPublished } from '../never-published.ts';
import { windowsFix } from '../page/windows-fix.ts';
import type { CheckedVersion, Rule } from '../rule.ts';
import { ruleFindings, shown } from './finding.ts';
import { encodePath } from './off-site.ts';
import type { BytePattern } from './reading/byte-watch.ts';
import { eachFile } from './reading/each-file.ts';
import type { Facts, Reference } from './reading/facts.ts';
import type { ReadFile } from './reading/read-file.ts';

const finding = ruleFindings('entry-problems');
const maxProblemsPerFile = 20;
/** Paths that the service answers itself on every content host. */
const servicePath = /^service\//u;
const localFile = /^\s*(?:file:|[A-Za-z]:[\\/]|\\\\)/iu;
const localHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/iu;

interface Loading {
  readonly path: string;
  readonly base: string | null;
  readonly references: readonly Reference[];
  readonly imports: readonly Reference[];
  /** What in the file does not come out as it is meant. */
  readonly vain: readonly Vain[];
}

interface Vain {
  readonly message: string;
  readonly fix: string;
}

/**
 * Finds files that the entry page or its modules request and will not get, and files that browsers cannot
 * use. These are warnings only: the page may still be what its creator wants. They say what the browser's
 * console would say. Files that nothing loads are ignored.
 */
export const entryProblems: Rule = {
  name: 'entry-problems',
  async check(version) {
    const files = new Map<string, Loading>();
    await eachFile(version, {
      patterns: [windowCall, windowLink, siteLink, cookie],
      async visit(file) {
        const facts = await file.facts();
        if (!facts) return [];
        const { base, references } = facts;
        // Bare names need an import map, or a bundler that was not run. The page check reports those.
        const imports = facts.imports
          .filter((one) => /^\.{0,2}\//u.test(one))
          .map((url) => ({ url, by: 'import' }));
        const vain = [...encodingOf(file, facts, version), ...vainIn(file, facts)];
        files.set(file.path, { path: file.path, base, references, imports, vain });
        return [];
      },
    });
    return reachable(version, files).flatMap((file) => problemsOf(file, version));
  },
};

/** Returns the files reachable from the entry along scripts, frames and imports, each once. */
function reachable(
  { entry, origin, files: all }: CheckedVersion,
  files: ReadonlyMap<string, Loading>,
): Loading[] {
  const exact = new Set(all.map(({ path }) => path));
  const reached = new Map<string, Loading>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = files.get(path);
    if (!file || reached.has(path)) continue;
    reached.set(path, file);
    for (const { url, by } of [...file.references, ...file.imports]) {
      if (!/^(?:script|iframe|import|link)\b/u.test(by)) continue;
      const target = targetOf(url, file, origin);
      const wanted = target?.origin === new URL(origin).origin ? pathOf(target) : null;
      const found = wanted === null ? undefined : served(wanted, exact);
      if (found !== undefined) waiting.push(found);
    }
  }
  return [...reached.values()];
}

function problemsOf(file: Loading, version: CheckedVersion): Finding[] {
  const exact = new Set(version.files.map(({ path }) => path));
  const folded = new Map(version.files.map(({ path }) => [path.toLowerCase(), path]));
  const references = [...(file.path === version.entry ? file.references : []), ...file.imports];
  const problems = new Map<string, Finding>();
  for (const reference of references) {
    if (problems.size >= maxProblemsPerFile) break;
    const problem = problemOf(reference, file, version, exact, folded);
    if (problem) problems.set(reference.url, problem);
  }
  const vain = file.vain.map(({ message, fix }) => finding('warn', file.path, message, fix));
  return [...problems.values(), ...vain];
}

/** Larger files are engines and bundles. They contain the call without ever making it. */
const maxOwnBytes = 65_536;
const windowCall: BytePattern = { words: ['window.open'], pattern: /\bwindow\.open\s{0,9}\(/gu };
const windowLink: BytePattern = {
  words: ['_blank', '_new'],
  pattern: /<a\s[^<>]{0,400}\btarget\s{0,9}=\s{0,9}["']?_(?:blank|new)\b/giu,
};

/**
 * Addresses elsewhere are written out in full, and those of the version are not. Where one gets a browser that can play
 * does not count: engines (Construct, PlayCanvas) say so to people whose browser cannot, who have no game to lose.
 */
const siteLink: BytePattern = {
  words: ['href="http', "href='http", 'href=http', 'href="mailto:', "href='mailto:", 'href=mailto:'],
  pattern:
    /<a\s[^<>]{0,400}\bhref=["']?(?!https?:\/\/(?:get\.webgl\.org|www\.google\.com\/chrome|www\.mozilla\.org\/firefox|play\.google\.com\/store\/apps\/details\?id=com\.google\.android\.webview)[/?"'\s>])(?:https?|mailto):/giu,
};

/** Browsers refuse cookies of frames without an error, so that nobody sees why nothing is kept. */
const cookie: BytePattern = {
  words: ['document.cookie'],
  pattern: /\bdocument\.cookie\s{0,9}=(?!=)/gu,
};
const cookieFix =
  'In a frame most browsers refuse cookies, and tell no script. Keep progress in localStorage, which the page around the game keeps, or in Spaceport.saves.';

/** Scripts in another encoding mostly have it in a name in a comment, which nobody sees. */
function encodingOf(
  { servedAs, textCut }: ReadFile,
  { encoding, isLegible }: Facts,
  { hasModule }: CheckedVersion,
): Vain[] {
  // A page that gets no module is sent unread, as UTF-8.
  const isSentRight = isLegible && (hasModule || encoding === 'utf-8');
  if (servedAs !== 'html' || textCut || isSentRight) return [];
  const message =
    'It is not in UTF-8, and browsers are not told in which encoding it is: letters with accents, and those of other scripts, may come out wrong.';
  return [{ message, fix: 'Save it in UTF-8, and its scripts and texts too.' }];
}

function reachesOut({ ofTop: [name] }: Facts): Vain[] {
  if (name === undefined) return [];
  const message = `It uses ${shown(name)}: in a frame, browsers refuse the window around it, and the script stops there.`;
  return [{ message, fix: 'Write window in the place of top, or catch the error.' }];
}

function vainIn(file: ReadFile, facts: Facts): Vain[] {
  if (file.source.size > maxOwnBytes) return [];
  const way = leadsOut(file);
  const keepsCookies = file.matches(cookie).length > 0;
  return [
    ...reachesOut(facts),
    ...(way === null ? [] : [{ message: way, fix: windowsFix }]),
    ...(keepsCookies
      ? [{ message: 'It keeps something in cookies (document.cookie).', fix: cookieFix }]
      : []),
  ];
}

/** Returns how a file leads out of the frame; null if it does not. */
function leadsOut(file: ReadFile): string | null {
  if (file.matches(windowLink).length > 0) return 'A link opens a new window (target="_blank").';
  if (file.matches(siteLink).length > 0) return 'A link leads to another site.';
  return file.matches(windowCall).length > 0 ? 'It calls window.open.' : null;
}

function targetOf(url: string, { path, base }: Pick<Loading, 'path' | 'base'>, origin: string): URL | null {
  const page = new URL(encodePath(path), `${origin}/`);
  return URL.parse(url, base === null ? page : (URL.parse(base, page) ?? page));
}

/** Returns the path of the file that is served for a requested path (serving/find-file.ts). */
function served(wanted: string, exact: ReadonlySet<string>): string | undefined {
  return [wanted, withSingleSlashes(wanted), `${wanted}index.html`, `${wanted}/index.html`].find((path) =>
    exact.has(path),
  );
}

function problemOf(
  { url, by }: Reference,
  file: Pick<Loading, 'path' | 'base'>,
  version: CheckedVersion,
  exact: ReadonlySet<string>,
  folded: ReadonlyMap<string, string>,
): Finding | null {
  const { path } = file;
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
  const page = new URL(version.origin);
  const target = targetOf(url, file, version.origin);
  if (!target) return finding('warn', path, `${written} is not an address.`, 'Correct it, or remove it.');
  if (target.href === version.moduleUrl) return null;
  if (target.protocol === 'http:' && target.host !== page.host) return insecure(path, written, target);
  if (target.host !== page.host || !/^https?:$/u.test(target.protocol)) return null;
  const wanted = pathOf(target);
  if (wanted === null || servicePath.test(wanted)) return null;
  if (served(wanted, exact) !== undefined)
    return by === 'script src' ? sourceOf(path, written, wanted) : null;
  return missing(file, written, url, wanted, folded);
}

/** Returns a finding for a file that needs a compiler, which no browser runs as it is. */
function sourceOf(path: string, written: string, wanted: string): Finding | null {
  if (!/\.(?:tsx?|mts|cts|jsx|vue|svelte|astro)$/iu.test(wanted)) return null;
  const message = `${written} is source, which browsers cannot run.`;
  return finding(
    'warn',
    path,
    message,
    'Run the build (npm run build) and publish the folder it makes, usually dist.',
  );
}

function insecure(path: string, written: string, { hostname }: URL): Finding {
  return localHost.test(hostname)
    ? finding(
        'warn',
        path,
        `${written} is on your own machine: nobody else can reach it.`,
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
  { path, base }: Pick<Loading, 'path' | 'base'>,
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
  const isFromRoot = url.trim().startsWith('/');
  const elsewhere = isFromRoot || base !== null ? withoutFirstFolders(wanted, folded) : undefined;
  if (elsewhere !== undefined && !isFromRoot) {
    const message = `${written} is not in the upload: <base href="${shown(base ?? '')}"> leads to ${shown(wanted)}, and the file is ${elsewhere}.`;
    return finding(
      'warn',
      path,
      message,
      'Write <base href="./">, or build for the root of an address ("/").',
    );
  }
  if (elsewhere !== undefined) {
    const message = `${written} is not in the upload: it begins with "/", and ${elsewhere} is at another place.`;
    return finding('warn', path, message, `Write it as ${elsewhere}, or build with a relative base ("./").`);
  }
  const never = neverPublished(wanted);
  if (never) return finding('warn', path, `${written} is not in the upload: ${never.reason}.`, never.fix);
  return finding(
    'warn',
    path,
    `${written} is not in the upload: there is no ${shown(wanted)}.`,
    'Add the file, or remove the reference.',
  );
}

/**
 * Finds the file for a path made for a site with a folder in front: `assets/a.js` for `/my-game/assets/a.js`.
 */
function withoutFirstFolders(wanted: string, folded: ReadonlyMap<string, string>): string | undefined {
  const segments = wanted.split('/');
  for (let from = 1; from < segments.length; from++) {
    const found = folded.get(segments.slice(from).join('/').toLowerCase());
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the path in the version that a URL names; null if no path can match it. */
function pathOf({ pathname }: URL): string | null {
  return decodePath(pathname.slice(1));
}
