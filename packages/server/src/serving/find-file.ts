import type { Site } from './site.ts';

/** The result for a path of a site. `path` is always a path of the manifest. */
export type Found =
  | { readonly is: 'file'; readonly path: string }
  /** A folder that was requested without its slash: relative links in its page would lead elsewhere. */
  | { readonly is: 'folder'; readonly path: string }
  | { readonly is: 'missing' };

const missing: Found = { is: 'missing' };

/**
 * Decodes the path of a request line (without its query) to normal form C. Returns null if its escapes are
 * not UTF-8. node:http refuses other bytes than ASCII before they get here.
 */
export function decodePath(raw: string): string | null {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw).normalize('NFC');
  } catch {
    return null;
  }
}

/**
 * Returns the path with one slash wherever there are several within it, as web servers read it. Engines ask for
 * such paths: GameMaker for `html5game//sound/worklets/audio-worklet.js`.
 */
export function withSingleSlashes(name: string): string {
  return name.replace(/(?<=[^/])\/{2,}/gu, '/');
}

/** Finds a decoded path (with its leading slash) in a version. Only paths of the manifest are found. */
export function findFile(site: Site, path: string): Found {
  if (!path.startsWith('/')) return missing;
  if (path === '/') return fileOr(site, site.entry) ?? missing;
  const name = path.slice(1);
  if (name.endsWith('/'))
    return fileOr(site, `${name}index.html`) ?? appPage(site, name.slice(0, -1)) ?? missing;
  const plain = withSingleSlashes(name);
  const exact = fileOr(site, name) ?? fileOr(site, plain);
  if (exact) return exact;
  if (site.files.has(`${name}/index.html`)) return { is: 'folder', path: name };
  // The entry is served at `/`, so its relative links lead there: look beside the entry too.
  const besideEntry = site.entry.slice(0, site.entry.lastIndexOf('/') + 1) + plain;
  return (
    fileOr(site, pageOf(plain)) ??
    fileOr(site, besideEntry) ??
    fileOr(site, pageOf(besideEntry)) ??
    appPage(site, name) ??
    missing
  );
}

/** Static exports of Next.js and SvelteKit link to `/level` and write `level.html`: hosts add the ending. */
function pageOf(name: string): string {
  return `${name}.html`;
}

/** In a single-page app, returns the entry for every path that does not look like a file's. */
function appPage(site: Site, name: string): Found | undefined {
  const lastSegment = name.slice(name.lastIndexOf('/') + 1);
  return site.spa && !lastSegment.includes('.') ? fileOr(site, site.entry) : undefined;
}

function fileOr(site: Site, path: string): Found | undefined {
  return site.files.has(path) ? { is: 'file', path } : undefined;
}

/**
 * Returns the redirect for a folder without its slash. It is made from the manifest's path, never from the
 * request's: it begins with one slash and a name, so it cannot lead to another host.
 */
export function folderLocation(folder: string, query: string): string {
  const path = folder.split('/').map(encodeURIComponent).join('/');
  return `/${path}/${asLocation(query)}`;
}

/** Escapes a part of a request target for use in a header. */
export function asLocation(query: string): string {
  return query.replace(/[^\x21-\x7e]/gu, (byte) =>
    `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`.toUpperCase(),
  );
}
