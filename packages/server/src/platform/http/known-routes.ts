import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { answerPreflight, isPreflight, readableAnywhere } from './any-site.ts';
import { pathOf, spelledPath } from './path-of.ts';

export interface KnownRoute {
  readonly method: string;
  readonly path: string;
  /** Pages of any site may call it: no cookie is looked at there. */
  readonly fromAnySite?: true;
}

type SendPage = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Unknown paths are 404; known ones with another method are 405 and name those that are there. A browser that is led to
 * what is not there gets a page.
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
    // A page that is not there is shown; whatever else was to be done there is refused before its body.
    const reads = request.method === 'GET' || request.method === 'HEAD';
    done(request.is404 && !reads ? nothingHere() : undefined);
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request)) return sendPage(nothingHere(), request, reply);
    throw nothingHere();
  });
}

/** Somebody reads it: programs do not ask for HTML, and under /api everything is JSON. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && !/^\/api(?:\/|$)/u.test(pathOf(url)) && (headers.accept?.includes('text/html') ?? false);
}

/** The methods that are known of a path; of one without parameters, `fixed`, also where a path with some fits it too. */
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
