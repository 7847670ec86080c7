import type { IncomingMessage } from 'node:http';
import { decodePath, findFile } from './find-file.ts';
import type { Site } from './site.ts';

/**
 * The kinds of requests that a browser can preload, by destination and mode. The kind decides in which of its
 * stores the browser looks for the file.
 */
const kinds: Readonly<Record<string, FirstFile['as']>> = {
  'script cors': 'module',
  'script no-cors': 'script',
  'style no-cors': 'style',
  'font cors': 'font',
  'empty cors': 'fetch',
};

/** A file that the entry page of a version requests by itself when it begins. */
export interface FirstFile {
  /** Path and query relative to the page, as they were in the request. */
  readonly target: string;
  readonly as: 'module' | 'script' | 'style' | 'font' | 'fetch';
}

/** The limits. Later requests are not part of the beginning, and more files make a long header. */
const mostFiles = 12;
const mostCharacters = 100;

/** Records what the page of a site requests first, in the order of its requests. */
export class FirstFiles {
  readonly #site: Site;
  readonly #found = new Map<string, FirstFile>();

  constructor(site: Site) {
    this.#site = site;
  }

  note({ url = '', method, headers }: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): void {
    const as = kinds[`${headers['sec-fetch-dest']} ${headers['sec-fetch-mode']}`];
    // A preloaded file would not be used for a request that bypasses caches or asks for a part.
    const isPlain = method === 'GET' && headers.range === undefined && headers['cache-control'] === undefined;
    if (as === undefined || !isPlain || this.#found.size >= mostFiles) return;
    const target = url.slice(1);
    if (target === '' || target.length > mostCharacters || /[<>"\\^`{|}]/u.test(target)) return;
    const path = decodePath(url.split('?', 1)[0] ?? '');
    if (path === null || findFile(this.#site, path).is !== 'file') return;
    if (!this.#found.has(target)) this.#found.set(target, { target, as });
  }

  list(): FirstFile[] {
    return [...this.#found.values()];
  }
}

/**
 * Returns the value of a `Link` header (RFC 8288) that makes a browser request them while it reads the page.
 */
export function linkTo(files: readonly FirstFile[]): string {
  return files.map(({ target, as }) => `<./${target}>; ${relationOf(as)}`).join(', ');
}

/**
 * Returns the value without modules; undefined if nothing is left. Browsers that have begun to load a module look up
 * what it imports, and take no import map afterwards (whatwg/html#9274).
 */
export function withoutModules(link: string): string | undefined {
  const others = link.split(', ').filter((one) => !one.endsWith(`; ${relationOf('module')}`));
  return others.length === 0 ? undefined : others.join(', ');
}

function relationOf(as: FirstFile['as']): string {
  if (as === 'module') return 'rel=modulepreload';
  // Fonts and fetches are requested with anonymous CORS, so the preload must be too.
  return `rel=preload; as=${as}${as === 'font' || as === 'fetch' ? '; crossorigin' : ''}`;
}
