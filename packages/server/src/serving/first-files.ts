import type { IncomingMessage } from 'node:http';
import { decodePath, findFile } from './find-file.ts';
import type { Site } from './site.ts';

/** What a browser can be told beforehand of: how the page asks for it says in which of its stores it is looked for. */
const kinds: Readonly<Record<string, FirstFile['as']>> = {
  'script cors': 'module',
  'script no-cors': 'script',
  'style no-cors': 'style',
  'font cors': 'font',
  'empty cors': 'fetch',
};

/** A file that the entry page of a version asks for by itself as it begins. */
export interface FirstFile {
  /** Path and query as seen from the page, as they stood in the request. */
  readonly target: string;
  readonly as: 'module' | 'script' | 'style' | 'font' | 'fetch';
}

/** What comes after these is no beginning; and more of them is a long header. */
const mostFiles = 12;
const mostCharacters = 100;

/** Writes down what the page of a site asks for first, in the order of its requests. */
export class FirstFiles {
  readonly #site: Site;
  readonly #found = new Map<string, FirstFile>();

  constructor(site: Site) {
    this.#site = site;
  }

  note({ url = '', method, headers }: Pick<IncomingMessage, 'url' | 'method' | 'headers'>): void {
    const as = kinds[`${headers['sec-fetch-dest']} ${headers['sec-fetch-mode']}`];
    // A page that wants it from nowhere but here, or a part of it, would not take what was asked for beforehand.
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

/** The value of a `Link` header (RFC 8288) that has a browser ask for them while it reads the page. */
export function linkTo(files: readonly FirstFile[]): string {
  return files.map(({ target, as }) => `<./${target}>; ${relationOf(as)}`).join(', ');
}

function relationOf(as: FirstFile['as']): string {
  if (as === 'module') return 'rel=modulepreload';
  // Fonts and what scripts fetch are asked for without credentials of other origins, and looked for as such.
  return `rel=preload; as=${as}${as === 'font' || as === 'fetch' ? '; crossorigin' : ''}`;
}
