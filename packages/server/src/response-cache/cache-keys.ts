import type { IncomingHttpHeaders } from 'node:http';
import type { CacheableRoute } from '../platform/http/shown-answer.ts';
import { newestOf } from '../platform/limits/newest-of.ts';

/** The address under which the response to a request may be kept. */
export interface Address {
  /** Path and query in their normal spelling. The response is made from them. */
  readonly url: string;
  readonly path: string;
  /** The router's pattern, such as `/s/:slug`. */
  readonly route: string;
  readonly variant: ((headers: IncomingHttpHeaders) => string) | undefined;
  /** Whether the response is kept only if it is requested again. */
  readonly onRepeat: boolean;
}

interface KnownRoute extends CacheableRoute {
  readonly route: string;
  readonly pattern: RegExp;
}

const maxUrlCharacters = 600;
const rememberedUrls = 20_000;
/** Paths that have only one spelling. */
const plainPath = /^\/[\w\-.~@/]*$/u;

/** The routes whose responses may be kept, and the keys under which they are. */
export class CacheKeys {
  readonly #fixed = new Map<string, KnownRoute>();
  readonly #patterns: KnownRoute[] = [];
  readonly #remembered = newestOf<Address | typeof nowhere>(rememberedUrls);

  /** Adds a route; `route` is the router's pattern. */
  add(route: string, cacheable: CacheableRoute): void {
    const known = { ...cacheable, route, pattern: patternOf(route) };
    if (/[:*]/u.test(route)) this.#patterns.push(known);
    else this.#fixed.set(route, known);
  }

  /** Returns the address to keep a response under; null if it is never kept. */
  find(url: string): Address | null {
    if (url.length > maxUrlCharacters) return null;
    const remembered = this.#remembered.get(url);
    if (remembered !== undefined) return remembered === nowhere ? null : remembered;
    const found = this.#look(url);
    this.#remembered.set(url, found ?? nowhere);
    return found;
  }

  #look(url: string): Address | null {
    const at = url.indexOf('?');
    const path = at === -1 ? url : url.slice(0, at);
    if (!plainPath.test(path)) return null;
    const known = this.#fixed.get(path) ?? this.#patterns.find(({ pattern }) => pattern.test(path));
    if (!known) return null;
    const query = canonicalQuery(at === -1 ? '' : url.slice(at + 1), known);
    if (query === null) return null;
    const { route, variant, onRepeat = [] } = known;
    return {
      url: query.size === 0 ? path : `${path}?${query}`,
      path,
      route,
      variant,
      onRepeat: onRepeat.some((name) => query.get(name)),
    };
  }
}

/** Marks an address whose responses are not kept. */
const nowhere = Symbol('nowhere');

/**
 * Returns the parameters that matter, in a fixed order, with the first value of each. Returns null if there
 * is a parameter with which no response is kept, or one that the route may refuse.
 */
function canonicalQuery(
  text: string,
  { query, never = [], ignoresOthers = false }: CacheableRoute,
): URLSearchParams | null {
  const given = new URLSearchParams(text);
  if (never.some((name) => given.get(name))) return null;
  if (!ignoresOthers) for (const name of given.keys()) if (!query.includes(name)) return null;
  const kept = new URLSearchParams();
  for (const name of query) {
    const value = given.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

function patternOf(route: string): RegExp {
  const escaped = route.replaceAll(/[.+?^$()|[\]\\]/gu, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/:\w+/gu, '[^/]+').replaceAll('*', '.+')}$`, 'u');
}
