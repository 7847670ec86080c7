import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { type Edge, type Operation, usualMaxBodyBytes } from '@spaceport/contract/operation';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ServiceError } from '../errors.ts';
import type { ServiceLog } from '../log.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { bodyTooLarge, limitBodies } from './admit.ts';
import { answerBroken } from './answer-broken.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { type BodyBudget, hasBody } from './body-budget.ts';
import { CallsAhead } from './calls-ahead.ts';
import type { ClientAddress } from './client-address.ts';
import { endAfterAnswer } from './ending.ts';
import { inTurn } from './in-turn.ts';
import { jsonHeaders } from './json-headers.ts';
import { wantsPage } from './known-routes.ts';
import type { RequestHandler } from './listener.ts';
import { dropBrokenType } from './media-type.ts';
import { parseQuery } from './parse-query.ts';
import { pathOf } from './path-of.ts';
import { readBody } from './read-body.ts';
import { type RefusalRules, refusalOf } from './refusals.ts';
import { RequestLog } from './request-log.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { endSlowBody } from './slow-body.ts';

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

export interface HttpAppOptions {
  readonly server: Server;
  readonly log: ServiceLog;
  /** The address of the service. */
  readonly appOrigin: string;
  readonly clientAddress: ClientAddress;
  readonly bodies: BodyBudget;
  readonly metrics: RequestMetrics;
  readonly tracer: Pick<Tracer, 'mount'> | null;
  readonly watch: AnswerWatch | undefined;
}

export interface HttpApp {
  readonly app: FastifyInstance;
  /** The handler for requests to the app's own host. */
  readonly handle: RequestHandler;
  /** Null if a collector is told of requests: all of them go through the framework then. */
  readonly ahead: CallsAhead | null;
  /** The same handler, which answers some calls ahead of the framework. */
  readonly handleAhead: RequestHandler;
}

/** Makes the Fastify app on a server that already listens. Content hosts are handled ahead of it. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { server, log, appOrigin, clientAddress, bodies, metrics, tracer, watch } = options;
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
      const answer = () => answerError(error, request, reply, { appOrigin, watch: undefined });
      const { sendErrorPage } = request.server;
      if (sendErrorPage === null || !wantsPage(request)) return answer();
      guard(request, reply);
      sendErrorPage(error, request, reply).catch(answer);
    },
  });
  app.decorate('sendErrorPage', null);

  // A body is JSON, whatever its type header says: a missing header is no reason to refuse a valid body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    try {
      done(null, readBody(String(body), request.headers, request.routeOptions.config.operation));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser([...pictureTypes], { parseAs: 'buffer' }, (request, body, done) => {
    const { operation } = request.routeOptions.config;
    try {
      done(null, operation?.media ? body : readBody(String(body), request.headers, operation));
    } catch (error) {
      done(error as Error);
    }
  });
  // Hooks use callbacks: a promise for each hook of each request takes a tenth of the time of a small
  // response.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    dropBrokenType(request.headers);
    if (!request.routeOptions.config.streams) endSlowBody(request.raw);
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      const { id, method, url } = request;
      log.brokenOff({ reqId: id, method, path: pathOf(url), ms: Math.round(reply.elapsedTime) });
    });
    done();
  });
  limitBodies(app, { clientAddress, budget: bodies });
  app.addHook('onSend', (request, reply, payload, done) => {
    guard(request, reply);
    done(null, payload);
  });
  // One hook for the log and the metrics: each hook takes time.
  app.addHook('onResponse', (request, reply, done) => {
    const { elapsedTime } = reply;
    log.requestLine({
      reqId: request.id,
      method: request.method,
      path: pathOf(request.url),
      status: reply.statusCode,
      ms: Math.round(elapsedTime),
    });
    const route = request.routeOptions.url ?? 'none';
    metrics.observe({ route, method: request.method, status: reply.statusCode }, elapsedTime / 1000);
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, { appOrigin, watch }));
  tracer?.mount(app);
  const ahead = new CallsAhead({ log, metrics, appOrigin, clientAddress, bodies, watch });
  const framework: RequestHandler = (request, response) => handle(request, response);
  return {
    app,
    handle: inTurn(framework, clientAddress),
    ahead: tracer ? null : ahead,
    handleAhead: inTurn((request, response) => ahead.handle(request, response, framework), clientAddress),
  };
}

function notCompiled(): never {
  throw new Error('A route has a schema of the framework: the contract has those.');
}

/** What every answer carries, whatever its route and however that was spelled. */
function guard(request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  if (String(reply.getHeader('content-type')).startsWith('application/json'))
    reply.header('content-security-policy', jsonHeaders['content-security-policy']);
  if (request.raw.complete || !hasBody(request.raw)) return;
  // The rest of a body that is not read: the connection ends with the response.
  reply.header('connection', 'close');
  endAfterAnswer(reply.raw);
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  rules: RefusalRules,
): void {
  const { operation, edge } = request.routeOptions?.config ?? {};
  const { id, url, log } = request;
  // What a path's pattern has matched is text.
  const params = (request.params ?? {}) as Record<string, string>;
  const isCutOff = isCutOffBody(error, request.raw);
  const asked = { id, url, params, operation, edge, log, isCutOff };
  const answer = refusalOf(fromFramework(error, request), asked, rules);
  reply.code(answer.status).headers(answer.headers).type(jsonHeaders['content-type']);
  // What Fastify refuses before there is a route meets no hook.
  guard(request, reply);
  void reply.send(answer.body);
}

/**
 * Returns whether the error says only that the connection has ended before the body did. The client has left, or
 * was too slow and we have ended it.
 */
export function isCutOffBody(error: unknown, { complete, destroyed, errored }: IncomingMessage): boolean {
  if (complete || !destroyed || !(error instanceof Error)) return false;
  return error === errored || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE');
}

/** Fastify's own refusals, as our codes. */
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
