import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { answerPreflight, isPreflight, readableAnywhere } from './any-site.ts';
import { pathOf, spelledPath } from './path-of.ts';

export interface KnownRoute {
  readonly method: string;
  readonly path: string;
  /** Pages of any site may call it. Cookies are ignored there. */
  readonly fromAnySite?: true;
}

type SendPage = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Responds with 404 to unknown paths, and with 405 and the allowed methods to known paths with another
 * method. A browser that follows a link to an unknown path gets a page.
 */
export function mountNotFound(app: FastifyInstance, known: readonly KnownRoute[], sendPage: SendPage): void {
  const methodsOf = createMethodsOf(known);
  const fromAnySite = new Set(known.filter((route) => route.fromAnySite).map(({ path }) => path));
  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.url);
    const methods = request.is404 ? methodsOf(path) : methodsOf.fixed(path);
    if (methods && fromAnySite.has(path)) {
      void reply.headers(readableAnywhere);
      if (isPreflight(request)) return void answerPreflight(reply);
    }
    if (methods && !methods.has(request.method)) return done(notAllowed(request, methods));
    // A missing page is shown with its 404; other methods are refused before their body is read.
    const reads = request.method === 'GET' || request.method === 'HEAD';
    done(request.is404 && !reads ? nothingHere() : undefined);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request)) return sendPage(nothingHere(), request, reply);
    throw nothingHere();
  });
}

/**
 * Returns whether a person will read the response: programs do not ask for HTML, and everything under /api is
 * JSON.
 */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && !/^\/api(?:\/|$)/u.test(pathOf(url)) && (headers.accept?.includes('text/html') ?? false);
}

/**
 * Returns the known methods of a path. `fixed` looks only at paths without parameters, even if a path with
 * some fits too.
 */
function createMethodsOf(known: readonly KnownRoute[]) {
  const byPath = Map.groupBy(known, ({ path }) => path);
  const patterns = [...byPath].map(([path, routes]) => ({
    pattern: new RegExp(
      `^${path.replaceAll(/[.*+?^$()|[\]\\]/gu, '\\$&').replaceAll(/\{\w+\}/gu, '[^/]+')}$`,
      'u',
    ),
    methods: new Set(routes.map(({ method }) => method)),
  }));
  const fixedPaths = new Map(
    [...byPath]
      .filter(([path]) => !path.includes('{'))
      .map(([path, routes]) => [path, new Set(routes.map(({ method }) => method))]),
  );
  const fixed = (path: string): Set<string> | undefined => fixedPaths.get(path);
  const any = (path: string) => fixed(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.methods;
  return Object.assign(any, { fixed });
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
        `${names.join(' or ')} ${app}${spelledPath(url)} is there; ${app}/docs/api describes it.`,
    },
  );
}

function nothingHere(): ServiceError {
  return new ServiceError('not_found', 'There is nothing at this path.');
}
