import { nothingAtPath } from '@spaceport/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { answerPreflight, isPreflight, readableAnywhere } from './any-site.ts';
import { pathOf, spelledPath } from './path-of.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of any site may call the path. Cookies are ignored there. */
    fromAnySite?: true;
  }
  interface FastifyInstance {
    /** Sends the page of an error; null until it is mounted. */
    sendErrorPage: SendPage | null;
  }
}

export type SendPage = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The routes that are mounted on an app, by path. */
export interface KnownRoutes {
  /** Returns the methods of a path; undefined if the path is unknown. */
  methodsOf(path: string): ReadonlySet<string> | undefined;
  /** Looks only at paths without parameters, even if a path with some fits too. */
  methodsOfFixed(path: string): ReadonlySet<string> | undefined;
  isFromAnySite(path: string): boolean;
}

/** Collects the routes that are mounted on the app from now on. */
export function collectRoutes(app: FastifyInstance): KnownRoutes {
  const fixed = new Map<string, Set<string>>();
  const patterns = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  const fromAnySite = new Set<string>();

  function methodsAt(url: string): Set<string> {
    const source = patternOf(url);
    const known = fixed.get(url) ?? patterns.get(source)?.methods;
    if (known) return known;
    const methods = new Set<string>();
    if (/[:*]/u.test(url)) patterns.set(source, { pattern: new RegExp(source, 'u'), methods });
    else fixed.set(url, methods);
    return methods;
  }

  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.fromAnySite) fromAnySite.add(url);
    for (const each of [method].flat()) methodsAt(url).add(each);
  });
  return {
    methodsOf: (path) =>
      fixed.get(path) ?? patterns.values().find(({ pattern }) => pattern.test(path))?.methods,
    methodsOfFixed: (path) => fixed.get(path),
    isFromAnySite: (path) => fromAnySite.has(path),
  };
}

/** Returns the regular expression of a route's path: `:name` is one segment, `*` the rest. */
function patternOf(url: string): string {
  const literal = url.replaceAll(/[.+?^$()|[\]\\]/gu, '\\$&');
  return `^${literal.replaceAll(/:\w+/gu, '[^/]+').replaceAll('*', '.*')}$`;
}

/**
 * Responds with 404 to unknown paths, and with 405 and the allowed methods to known paths with another
 * method. A browser that follows a link to an unknown path gets a page.
 */
export function mountNotFound(app: FastifyInstance, known: KnownRoutes, sendPage: SendPage): void {
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.url);
    const methods = request.is404 ? known.methodsOf(path) : known.methodsOfFixed(path);
    if (methods && known.isFromAnySite(path)) {
      void reply.headers(readableAnywhere);
      if (isPreflight(request)) return void answerPreflight(reply);
    }
    if (methods && !methods.has(request.method)) return done(notAllowed(request, methods));
    // A missing page is shown with its 404; other methods are refused before their body is read.
    const reads = request.method === 'GET' || request.method === 'HEAD';
    done(request.is404 && !reads ? nothingHere() : undefined);
  });
  app.sendErrorPage = sendPage;
  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request)) return sendPage(nothingHere(), request, reply);
    throw nothingHere();
  });
}

/**
 * Returns whether a person will read the response: programs do not ask for HTML, and everything under /api is
 * JSON.
 */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && !/^\/api(?:\/|$)/u.test(pathOf(url)) && (headers.accept?.includes('text/html') ?? false);
}

function notAllowed({ method, url }: FastifyRequest, methods: ReadonlySet<string>): ServiceError {
  const names = [...methods].sort();
  const allow = names.join(', ');
  return new ServiceError(
    'method_not_allowed',
    `${method} is not a method of this path; it takes ${allow}.`,
    {
      allow,
      next: (app) =>
        `${names.join(' or ')} ${app}${spelledPath(url)} is there; ${app}/docs/api lists every call.`,
    },
  );
}

function nothingHere(): ServiceError {
  return new ServiceError('not_found', nothingAtPath);
}
