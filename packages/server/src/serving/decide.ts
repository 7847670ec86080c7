import type { ServedShim } from '@spaceport/contract/portals';
import type { ServedModule } from '@spaceport/contract/sdk-protocol';
import { storageProbe } from '@spaceport/contract/storage-probe';
import { buildFileAnswer, type FileAnswer } from './file-answer.ts';
import { asLocation, decodePath, findFile, folderLocation } from './find-file.ts';
import { linkTo } from './first-files.ts';
import {
  type ModuleText,
  type ModuleTexts,
  modulePaths,
  type ServedText,
  shimAt,
  togetherPath,
} from './module/module-texts.ts';
import type { PlainPageName } from './plain-pages.ts';
import type { Policy } from './policy-headers.ts';
import type { SiteAtHost } from './site.ts';
import type { ServedSite } from './site-cache.ts';
import { versionPath } from './version-path.ts';

export type SiteFound = Extract<SiteAtHost, { is: 'site' }>;

/** The result for a request, before its conditions and ranges are applied. */
export type Decision =
  | { readonly send: 'file'; readonly file: FileAnswer; readonly status: 200 | 404 }
  /**
   * The player module, its second script, or a portal's. `isNamed` is true if the address contains the hash
   * of the bytes.
   */
  | { readonly send: 'module'; readonly text: ServedText; readonly isNamed: boolean }
  | { readonly send: 'redirect'; readonly location: string }
  /** A redirect to the address at which the same bytes stay for good. */
  | { readonly send: 'led'; readonly location: string }
  | { readonly send: 'page'; readonly page: PlainPageName };

export interface Asked {
  /** The request target as it was sent: path and query. */
  readonly url: string;
  /**
   * The version that the address names. `url` is then the rest of the address, and begins with a slash if
   * there is one.
   */
  readonly version?: number;
  readonly forServiceWorker: boolean;
  readonly now: number;
  readonly appOrigin: string;
  readonly modules: ModuleTexts;
}

const notFoundFile = '404.html';

/** Decides from the site and the path alone. Stores the FileAnswers that it makes with the site. */
export function decide({ found, answers }: ServedSite, asked: Asked): Decision {
  if (found.is === 'unknown') return { send: 'page', page: 'notFound' };
  if (found.is === 'gone') return { send: 'page', page: found.why === 'away' ? 'away' : 'gone' };
  if (found.expiresAt !== undefined && found.expiresAt <= asked.now) return { send: 'page', page: 'gone' };
  // A service worker would outlive the preview, and would answer for the next page at the label.
  if (found.temporary && asked.forServiceWorker) return { send: 'page', page: 'noServiceWorker' };

  const { url, version } = asked;
  const queryAt = url.indexOf('?');
  const rawPath = queryAt < 0 ? url : url.slice(0, queryAt);
  const query = queryAt < 0 ? '' : url.slice(queryAt);
  const above = version === undefined ? '' : versionPath(version);
  if (version !== undefined && rawPath === '')
    return { send: 'redirect', location: `${above}/${asLocation(query)}` };
  const path = rawPath.startsWith('/') ? decodePath(rawPath) : null;
  if (path === null) return { send: 'page', page: 'badRequest' };
  const known = answers.get(above + path);
  if (known) return { send: 'file', file: known, status: 200 };
  if (path === storageProbe.path) return { send: 'page', page: 'storageProbe' };
  if (!found.remains && isModules(path, found)) {
    const text = textAt(path, found, asked);
    if (!text) return { send: 'page', page: 'unavailable' };
    return { send: 'module', text, isNamed: queryAt >= 0 && url.slice(queryAt + 1) === text.hash };
  }
  const file = findFile(found.site, path);
  if (file.is === 'folder') {
    return { send: 'redirect', location: above + folderLocation(file.path, query) };
  }
  if (file.is === 'missing' && found.remains) return { send: 'page', page: 'versionGone' };
  const name = file.is === 'file' ? file.path : notFoundFile;
  const led = version !== undefined && file.is === 'file' && ledTo(found.site, name);
  if (led) return { send: 'led', location: led + asLocation(query) };
  const answer = answerFor(name, found, answers, asked);
  if (!answer) return { send: 'page', page: 'notFound' };
  if (path === '/') answers.set(above + path, answer);
  return { send: 'file', file: answer, status: file.is === 'file' ? 200 : 404 };
}

/**
 * Returns whether the path belongs to the module or a shim. A version without them may have its own files
 * there.
 */
function isModules(path: string, { site }: SiteFound): boolean {
  if (shimAt(path) !== null) return site.sdk && site.shims;
  return modulePaths.includes(path) && (site.sdk || !site.files.has(path.slice(1)));
}

function textAt(path: string, found: SiteFound, asked: Asked): ServedText | null {
  if (path === togetherPath) return asked.modules.together;
  const name = shimAt(path);
  const shim = shimOf(found.site, asked);
  return name && shim ? asked.modules.shim(name, shim) : moduleOf(found, asked);
}

/** Returns the values for shims; null for a site without shims. */
function shimOf(
  { sdk, shims, clientBoard, portalKeys }: SiteFound['site'],
  { appOrigin: app }: Pick<Asked, 'appOrigin'>,
): ServedShim | null {
  if (!sdk || !shims) return null;
  return { app, board: clientBoard, ...(portalKeys && { keys: portalKeys }) };
}

export function policyOf(
  { temporary, site, isolatedBy = 'credentialless' }: SiteFound,
  { appOrigin }: Pick<Asked, 'appOrigin'>,
  link?: string,
): Policy {
  return { appOrigin, temporary, isolatedBy: site.isolated ? isolatedBy : null, link };
}

/** Returns the module for this site; null if it is not built yet. */
export function moduleOf(
  { site, temporary }: SiteFound,
  asked: Pick<Asked, 'appOrigin' | 'modules'>,
): ModuleText | null {
  const served: ServedModule = {
    app: asked.appOrigin,
    hosted: true,
    env: temporary ? 'sandbox' : 'live',
    version: site.number,
    ascending: site.ascendingBoards,
    ...(site.keeps && { keeps: site.keeps }),
    storage: site.storage,
  };
  return asked.modules.of(served, shimOf(site, asked));
}

/**
 * Returns the file's answer, which is made at its first use and kept under the file's own path: clients can
 * invent any number of paths, and those must not fill the memory.
 */
function answerFor(
  name: string,
  found: SiteFound,
  answers: Map<string, FileAnswer>,
  { appOrigin, version }: Pick<Asked, 'appOrigin' | 'version'>,
): FileAnswer | undefined {
  const path = `${version === undefined ? '' : versionPath(version)}/${name}`;
  const known = answers.get(path);
  const file = found.site.files.get(name);
  if (known || !file) return known;
  const { site } = found;
  // A page without the module is sent unread, so nobody knows whether it has an import map (ModulePages).
  const isKnown = version !== undefined && name === site.entry && site.sdk;
  const begins = isKnown ? (site.firstFiles ?? []) : [];
  const link = begins.length > 0 ? linkTo(begins) : undefined;
  const policy = policyOf(found, { appOrigin }, link);
  const module = !site.sdk ? 'never' : name === site.entry ? 'always' : 'asked';
  const at = version === undefined ? undefined : { path: fromEntry(site.entry, name) };
  const made = buildFileAnswer(name, file, policy, module, at);
  if (!isModules(`/${name}`, found)) answers.set(path, made);
  return made;
}

/**
 * Returns the path as seen from the entry, which is served at the root: the files beside it are requested
 * from there.
 */
function fromEntry(entry: string, name: string): string {
  const folder = entry.slice(0, entry.lastIndexOf('/') + 1);
  return name.startsWith(folder) ? name.slice(folder.length) : name;
}

/**
 * Returns the address of an earlier version at which the bytes of a file stay for good; null if there is
 * none.
 */
function ledTo({ origins }: SiteFound['site'], name: string): string | null {
  const number = origins?.get(name);
  if (number === undefined) return null;
  return `${versionPath(number)}/${name.split('/').map(encodeURIComponent).join('/')}`;
}
