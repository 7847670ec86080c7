import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Edge, Operation } from '@spaceport/contract/operation';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { ServiceError } from '../errors.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { type ErrorAnswer, toErrorAnswer } from './errors.ts';
import { parseJsonBody } from './json.ts';
import type { RequestHandler } from './listener.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How errors are spelled; outside hosting where absent. */
    edge?: Edge;
    operation?: Operation;
    /** The body is passed on as a stream, with a time limit of its own. */
    streams?: boolean;
  }
}

/** Two thousand files with long paths and full declarations take about 1 MiB. */
const maxBodyBytes = 4 * 1024 * 1024;
const bodyTimeoutMs = 30_000;
const hostingPrefix = '/api/v1/hosting/';

export interface HttpAppOptions {
  readonly server: Server;
  readonly log: Logger;
  readonly trustProxy: boolean;
  readonly watch: AnswerWatch | undefined;
}

export interface HttpApp {
  readonly app: FastifyInstance;
  /** Where the listener sends the requests that are for the app's own host. */
  readonly handle: RequestHandler;
}

/** Fastify over a server that listens already; content hosts are answered ahead of it. */
export function createHttpApp({ server, log, trustProxy, watch }: HttpAppOptions): HttpApp {
  let handle: RequestHandler = () => {};
  const app = Fastify({
    serverFactory: (handler) => {
      handle = handler as RequestHandler;
      return server;
    },
    loggerInstance: log as FastifyBaseLogger,
    // One line a request, written when it is answered, below.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy,
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      answerError(error, request, reply);
    },
  });

  // A body is JSON whatever its type header says: a missing header is no reason to refuse a good body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : parseJsonBody(String(body)));
    } catch (error) {
      done(error as Error);
    }
  });
  // With callbacks: a promise for each hook of each request is a tenth of what a small answer costs.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (!request.routeOptions.config.streams) endSlowBody(request);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.url.startsWith('/api') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, watch));
  return { app, handle: (request, response) => handle(request, response) };
}

/** The first value of each name: a repeated one is somebody's mistake, not a list. */
function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value;
  return query;
}

/** A body that drips ends here; the headers have a limit of their own. */
function endSlowBody(request: FastifyRequest): void {
  const { complete, headers } = request.raw;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (complete || !hasBody) return;
  const timer = setTimeout(() => request.raw.destroy(), bodyTimeoutMs);
  timer.unref();
  request.raw.once('close', () => clearTimeout(timer));
  request.raw.once('end', () => clearTimeout(timer));
}

/** Query strings carry signatures and tokens; paths do not. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  watch?: AnswerWatch,
): void {
  const { operation, edge = request.url.startsWith(hostingPrefix) ? 'hosting' : 'plain' } =
    request.routeOptions?.config ?? {};
  const refusal = toErrorAnswer(fromFramework(error), edge, request.id, operation);
  const answer = watched(refusal, request, edge, watch);
  if (answer.unexpected) request.log.error({ err: error }, 'unexpected error');
  else if (answer.status === 503) request.log.warn({ err: error }, 'unavailable');
  // What is left of a body we refuse is not read: the connection ends with the answer.
  if (!request.raw.complete) reply.header('connection', 'close');
  void reply.code(answer.status).headers(answer.headers).send(answer.body);
}

/** A refusal that the watch does not accept is a fault of ours. */
function watched(
  answer: ErrorAnswer,
  request: FastifyRequest,
  edge: Edge,
  watch: AnswerWatch | undefined,
): ErrorAnswer {
  const { operation } = request.routeOptions?.config ?? {};
  if (!operation || !watch) return answer;
  try {
    watch.refused(operation, answer.code);
    return answer;
  } catch (error) {
    request.log.error({ err: error }, 'answer not as promised');
    return toErrorAnswer(error, edge, request.id);
  }
}

/** Fastify's own refusals, as our codes. */
export function fromFramework(error: unknown): unknown {
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ServiceError('too_large', `The body is over ${maxBodyBytes} bytes.`, { maxBodyBytes });
  }
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return new ServiceError('invalid', 'The request is malformed.', {
      issues: [{ path: '', message: 'is malformed' }],
    });
  }
  return error;
}

/** Unknown paths are 404; known ones with another method are 405 and name those that are there. */
export function mountNotFound(
  app: FastifyInstance,
  known: readonly { method: string; path: string }[],
): void {
  const patterns = known.map(({ method, path }) => ({
    method,
    pattern: new RegExp(
      `^${path.replaceAll(/[.*+?^$()|[\]\\]/gu, '\\$&').replaceAll(/\{\w+\}/gu, '[^/]+')}$`,
      'u',
    ),
  }));
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length > 0) {
      const allow = [...new Set(methods)].sort().join(', ');
      reply.header('allow', allow);
      throw new ServiceError(
        'method_not_allowed',
        `${request.method} is not a method of this path; ${allow} is.`,
      );
    }
    throw new ServiceError('not_found', 'There is nothing at this path.');
  });
}
