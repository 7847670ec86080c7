import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type Edge, type Operation, usualMaxBodyBytes } from '@spaceport/contract/operation';
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
import { requestLogger } from '../log.ts';
import { bodyTooLarge, limitBodies } from './admit.ts';
import { answerBroken } from './answer-broken.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { type BodyBudget, hasBody } from './body-budget.ts';
import type { ClientAddress } from './client-address.ts';
import { endAfterAnswer } from './ending.ts';
import { type ErrorAnswer, toErrorAnswer } from './errors.ts';
import { inTurn } from './in-turn.ts';
import type { RequestHandler } from './listener.ts';
import { pathOf, spelledPath } from './path-of.ts';
import { readBody } from './read-body.ts';
import { RequestLog } from './request-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The edge that decides how errors are written; if absent, that outside hosting. */
    edge?: Edge;
    operation?: Operation;
    /** The body is passed on as a stream, with a time limit of its own. */
    streams?: boolean;
  }
}

/** The types that operations with `media` accept. */
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'];
const bodyTimeoutMs = 30_000;
const hostingPrefix = '/api/v1/hosting/';

export interface HttpAppOptions {
  readonly server: Server;
  readonly log: Logger;
  /** The address of the service. */
  readonly appOrigin: string;
  readonly clientAddress: ClientAddress;
  readonly bodies: BodyBudget;
  readonly watch: AnswerWatch | undefined;
}

export interface HttpApp {
  readonly app: FastifyInstance;
  /** The handler for requests to the app's own host. */
  readonly handle: RequestHandler;
}

/** Makes the Fastify app on a server that already listens. Content hosts are handled ahead of it. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { server, log, appOrigin, clientAddress, bodies, watch } = options;
  const logRequest = requestLogger(log);
  let handle: RequestHandler = () => {};
  const app = Fastify({
    serverFactory: (handler) => {
      handle = handler as RequestHandler;
      return server;
    },
    loggerInstance: log as FastifyBaseLogger,
    // One line for each request is written below, when it was answered.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger, bindings, options) => new RequestLog(logger, bindings, options),
    genReqId: () => randomUUID(),
    bodyLimit: usualMaxBodyBytes,
    clientErrorHandler: answerBroken,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // The contract's schemas validate everything. Fastify's own compilers would add 5 MB to each start.
    schemaController: { compilersFactory: { buildValidator: notCompiled, buildSerializer: notCompiled } },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      answerError(error, request, reply, { appOrigin });
    },
  });

  // A body is JSON, whatever its type header says: a missing header is no reason to refuse a valid body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    try {
      done(null, readBody(String(body), request));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser([...pictureTypes], { parseAs: 'buffer' }, (request, body, done) => {
    const { operation } = request.routeOptions.config;
    try {
      done(null, operation?.media ? body : readBody(String(body), request));
    } catch (error) {
      done(error as Error);
    }
  });
  // Hooks use callbacks: a promise for each hook of each request takes a tenth of the time of a small
  // response.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (!request.routeOptions.config.streams) endSlowBody(request);
    done();
  });
  limitBodies(app, { clientAddress, budget: bodies });
  app.addHook('onSend', (request, reply, payload, done) => {
    guard(request, reply);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest({
      reqId: request.id,
      method: request.method,
      path: pathOf(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, { appOrigin, watch }));
  return { app, handle: inTurn((request, response) => handle(request, response), clientAddress) };
}

function notCompiled(): never {
  throw new Error('A route has a schema of the framework: the contract has those.');
}

/** Keeps the first value of each name: a repeated name is a mistake, not a list. */
function parseQuery(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value;
  return query;
}

/** Ends the connection of a body that arrives too slowly. The headers have a limit of their own. */
function endSlowBody(request: FastifyRequest): void {
  if (request.raw.complete || !hasBody(request.raw)) return;
  const timer = setTimeout(() => request.raw.destroy(), bodyTimeoutMs);
  timer.unref();
  request.raw.once('close', () => clearTimeout(timer));
  request.raw.once('end', () => clearTimeout(timer));
}

/** Sets the headers that every response has. */
function guard(request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  if (request.raw.complete || !hasBody(request.raw)) return;
  // The rest of a body that is not read: the connection ends with the response.
  reply.header('connection', 'close');
  endAfterAnswer(reply.raw);
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { appOrigin, watch }: { appOrigin: string; watch?: AnswerWatch | undefined },
): void {
  const { operation, edge = pathOf(request.url).startsWith(hostingPrefix) ? 'hosting' : 'plain' } =
    request.routeOptions?.config ?? {};
  const refusal = toErrorAnswer(fromFramework(error, request), edge, request.id, operation, {
    app: appOrigin,
    path: spelledPath(request.url),
    // The parameters of a path are texts.
    params: (request.params ?? {}) as Record<string, string>,
    operation,
  });
  const answer = watched(refusal, request, edge, watch);
  if (answer.unexpected) request.log.error({ err: error }, 'unexpected error');
  else if (answer.status === 503) request.log.warn({ err: error }, 'unavailable');
  // No hook runs for requests that Fastify refuses before routing.
  guard(request, reply);
  void reply.code(answer.status).headers(answer.headers).send(answer.body);
}

/** Returns the refusal, or a server error if the watch does not accept it. */
function watched(
  answer: ErrorAnswer,
  request: FastifyRequest,
  edge: Edge,
  watch: AnswerWatch | undefined,
): ErrorAnswer {
  const { operation } = request.routeOptions?.config ?? {};
  // A 405 is not a response of the operation, although its route may be the operation's.
  if (!operation || !watch || answer.code === 'method_not_allowed') return answer;
  try {
    watch.refused(operation, answer.code);
    return answer;
  } catch (error) {
    request.log.error({ err: error }, 'answer not as promised');
    return toErrorAnswer(error, edge, request.id);
  }
}

/** Returns Fastify's own errors as errors with our codes. */
export function fromFramework(error: unknown, { routeOptions }: FastifyRequest): unknown {
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return bodyTooLarge(routeOptions.bodyLimit ?? usualMaxBodyBytes);
  }
  if (typeof code === 'string' && code.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return new ServiceError('invalid', 'The request is malformed.', {
      issues: [{ path: '', message: 'is malformed' }],
    });
  }
  return error;
}
