import type { IncomingMessage } from 'node:http';
import { type Operation, usualMaxBodyBytes } from '@spaceport/contract/operation';
import { newestOf } from '../limits/newest-of.ts';
import type { BoundAhead } from './calls-ahead.ts';
import { parseQuery } from './parse-query.ts';

/** A parsed address of an operation. */
export interface AheadAddress {
  readonly bound: BoundAhead;
  /** The path as the router writes it: `/spaces/:slug`. */
  readonly route: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Both validated; null until the first request did that. It is the same for all callers. */
  parsed: { readonly params: unknown; readonly query: unknown } | null;
}

interface Pattern {
  readonly bound: BoundAhead;
  readonly route: string;
  readonly matches: RegExp;
  readonly names: readonly string[];
}

const maxUrlCharacters = 600;
const rememberedUrls = 4_000;
/** Paths that need no escapes. */
const plainPath = /^\/[\w\-.~@/]*$/u;
const jsonType = /^application\/json *(?:;|$)/iu;

/** Finds the requests that are answered ahead of the framework: ordinary ones, of the added operations. */
export class AheadRoutes {
  readonly #patterns = new Map<string, Pattern[]>();
  readonly #remembered = new Map<string, ReturnType<typeof newestOf<AheadAddress>>>();

  add(bound: BoundAhead): void {
    const { method, path } = bound.operation;
    const names = Array.from(path.matchAll(/\{(\w+)\}/gu), ([, name = '']) => name);
    const escaped = path.replaceAll(/[.+?^$()|[\]\\]/gu, '\\$&');
    const matches = new RegExp(`^${escaped.replaceAll(/\{\w+\}/gu, '([^/]+)')}$`, 'u');
    const route = path.replaceAll(/\{(\w+)\}/gu, ':$1');
    const ofMethod = this.#patterns.get(method) ?? [];
    this.#patterns.set(method, [...ofMethod, { bound, route, matches, names }]);
    this.#remembered.set(method, newestOf(rememberedUrls));
  }

  /** Returns null for every request that the framework has to answer. */
  find({ method = '', url = '', headers }: IncomingMessage): AheadAddress | null {
    const patterns = this.#patterns.get(method);
    if (patterns === undefined || url.length > maxUrlCharacters) return null;
    // Conditional requests and bodies of unknown length.
    if (headers['if-none-match'] !== undefined || headers['transfer-encoding'] !== undefined) return null;
    const remembered = this.#remembered.get(method)?.get(url);
    const address = remembered ?? take(patterns, url);
    if (address === null || !takesBody(address.bound.operation, headers)) return null;
    if (!remembered) this.#remembered.get(method)?.set(url, address);
    return address;
  }
}

function take(patterns: readonly Pattern[], url: string): AheadAddress | null {
  const at = url.indexOf('?');
  const path = at === -1 ? url : url.slice(0, at);
  if (!plainPath.test(path)) return null;
  for (const { bound, route, matches, names } of patterns) {
    const found = matches.exec(path);
    if (found === null) continue;
    const params: Record<string, string> = {};
    for (const [index, name] of names.entries()) params[name] = found[index + 1] ?? '';
    const query = parseQuery(at === -1 ? '' : url.slice(at + 1));
    return { bound, route, path, params, query, parsed: null };
  }
  return null;
}

/** Checks that the body is as usual: none if the operation has none, otherwise declared JSON of usual length. */
function takesBody({ body, maxBodyBytes }: Operation, headers: IncomingMessage['headers']): boolean {
  const bytes = Number(headers['content-length'] ?? 0);
  if (!body) return bytes === 0;
  const most = Math.min(maxBodyBytes ?? usualMaxBodyBytes, usualMaxBodyBytes);
  return bytes > 0 && bytes <= most && jsonType.test(headers['content-type'] ?? '');
}
