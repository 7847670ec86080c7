import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import {
  type AnswerOf,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  usualMaxBodyBytes,
} from '@spaceport/contract/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { ShownTag } from '../db/shown.ts';
import type { Together } from '../processes/together.ts';
import { type Soon, whenKnown } from '../when-known.ts';
import { type Admitted, type Authenticate, createLargeBodyLimit } from './admit.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { hasBody } from './body-budget.ts';
import type { Caller } from './caller.ts';
import type { CallsAhead } from './calls-ahead.ts';
import { toErrorAnswer } from './errors.ts';
import { jsonHeaders } from './json-headers.ts';
import { parsePart } from './parse-part.ts';
import { passBodiesOn } from './pass-bodies-on.ts';
import type { CacheableRoute } from './shown-answer.ts';

/** The request that a bound function gets: all parts are validated, and the caller is resolved. */
export interface OperationRequest<Op extends Operation, Who extends Caller = Caller> {
  readonly params: ParamsOf<Op>;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op>;
  readonly caller: Who;
  readonly headers: IncomingHttpHeaders;
  /** The address of the client, according to TRUST_PROXY. */
  readonly address: string;
  /** A signal that is aborted when the client goes away. */
  readonly gone: () => AbortSignal;
  readonly reply: FastifyReply;
}

export interface OperationAnswer<Body> {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Body;
  /**
   * The tags that it shows, if the response is the same for everyone: it may be kept until one of them is
   * announced.
   */
  readonly shows?: readonly ShownTag[];
  /** The body as JSON, if it exists already or is streamed. The contract then has no schema for it. */
  readonly json?: string | Readable;
}

/**
 * Refuses a call whose subject the caller may not touch, once that subject is known. It returns no promise if
 * there is nothing to look up.
 * @throws `forbidden`
 */
export type Confine = (
  caller: Caller,
  operation: Operation,
  about: { readonly params: unknown; readonly body: unknown },
) => Soon<void>;

export interface BindOptions {
  /** Its responses that name their tags may be kept. */
  readonly cacheable?: CacheableRoute;
}

/** The request of an operation whose response needs nothing of the framework. */
type AheadRequest<Op extends Operation> = Omit<OperationRequest<Op>, 'reply'>;

export interface Binder {
  bind<Op extends Operation>(
    operation: Op,
    handle: (request: OperationRequest<Op>) => Soon<OperationAnswer<AnswerOf<Op>>>,
    options?: BindOptions,
  ): void;
  /**
   * Binds an operation that is called so often that its ordinary requests are answered ahead of the framework.
   * `handle` returns no promise if it knows the answer at once.
   */
  bindAhead<Op extends Operation>(
    operation: Op,
    handle: (request: AheadRequest<Op>) => Soon<OperationAnswer<AnswerOf<Op>>>,
    options?: BindOptions,
  ): void;
  /**
   * Calls a bound operation for a request that came another way, as the caller that its head names. The call
   * is parsed, confined and watched like a request of its own.
   * @throws what such a request would be refused with
   */
  call<Op extends Operation>(operation: Op, call: InnerCall): Promise<AnswerOf<Op>>;
}

/** A call that another request makes. Its parts are not validated yet. */
export interface InnerCall {
  /** The reply of the request that makes the call. */
  readonly reply: FastifyReply;
  /** The headers of the call itself: its credential and the type of its body. */
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A call whose caller is known, and whose parts except the body were validated. */
export interface AdmittedCall {
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The address of the client, according to TRUST_PROXY. */
  readonly address: string;
  readonly response: ServerResponse;
  /** Absent ahead of the framework. */
  readonly reply?: FastifyReply;
}

export interface BinderOptions {
  readonly authenticate: Authenticate;
  readonly confine: Confine;
  readonly together: Together;
  /** Null if all requests go through the framework. */
  readonly ahead: CallsAhead | null;
  readonly watch?: AnswerWatch | undefined;
}

/**
 * Makes routes from operations: authenticate, parse, confine, call, shape. The rights of a request are
 * checked before its body is read, so that a stranger cannot send a large body to an operation for accounts.
 * If `watch` throws, the response becomes a server error: so the tests prove that the description is true.
 */
export function createBinder(
  app: FastifyInstance,
  { authenticate, confine, together, ahead, watch }: BinderOptions,
): Binder {
  const bound = new Map<Operation, (call: AdmittedCall) => Soon<Answered>>();
  const limitLargeBodies = createLargeBodyLimit(together);

  function admit(request: FastifyRequest, operation: Operation): Soon<Admitted> {
    const params = parsePart(operation, operation.params, request.params, 'path');
    return whenKnown(authenticate.byHead(request, operation), (caller) => ({ params, caller }));
  }

  /** Returns no promise if no other process has to be asked whether the body may come. */
  function admitBody(request: FastifyRequest, operation: Operation, admitted: Admitted): Soon<void> {
    request.admitted = admitted;
    if (!operation.streams) return limitLargeBodies(request, admitted.caller);
  }

  /** A hook with callbacks, for requests with a body only. All others are admitted where they are handled. */
  const admitBeforeBody =
    (operation: Operation) =>
    (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      if (!hasBody(request.raw)) return done();
      let limited: Soon<void>;
      try {
        const admitted = admit(request, operation);
        limited = whenKnown(admitted, (known) => admitBody(request, operation, known));
      } catch (error) {
        return done(error as Error);
      }
      if (limited instanceof Promise) limited.then(() => done(), done);
      else done();
    };

  /** The steps of every call of an operation, whichever way it came. */
  const answering = <Op extends Operation>(
    operation: Op,
    handle: (request: OperationRequest<Op>) => Soon<OperationAnswer<AnswerOf<Op>>>,
  ) => {
    const usualStatus = Number(Object.keys(operation.answers)[0]);
    const shape = (answered: OperationAnswer<AnswerOf<Op>>): Answered => {
      const { status = usualStatus } = answered;
      watch?.answered(operation, status, answered.body);
      return { ...answered, status };
    };
    return (call: AdmittedCall): Soon<Answered> => {
      const { params, caller, query, headers, address, response, reply } = call;
      const body = parsePart(operation, operation.body, call.body, 'body');
      return whenKnown(confine(caller, operation, { params, body }), () => {
        const gone = () => goneSignal(response);
        const request = { params, query, body, caller, headers, address, gone, reply };
        return whenKnown(handle(request as OperationRequest<Op>), shape);
      });
    };
  };

  return {
    bind(operation, handle, { cacheable } = {}) {
      const answer = answering(operation, handle);
      bound.set(operation, answer);
      const route: RouteOptions = {
        method: operation.method,
        // As of any resource (RFC 9110 §9.1): checks of links and uptime ask so.
        exposeHeadRoute: operation.method === 'GET',
        url: operation.path.replaceAll(/\{(\w+)\}/gu, ':$1'),
        config: {
          edge: operation.edge,
          operation,
          ...(operation.streams && { streams: true }),
          ...(cacheable && { cacheable }),
        },
        bodyLimit: operation.maxBodyBytes ?? usualMaxBodyBytes,
        onRequest: admitBeforeBody(operation),
        handler: async (request, reply) => {
          const { params, caller: known } = request.admitted ?? (await admit(request, operation));
          const caller = authenticate.byBody(known, request, operation);
          const query = parsePart(operation, operation.query, request.query, 'query');
          const { body, headers, address } = request;
          const call = { headers, caller, params, query, body, address, response: reply.raw, reply };
          const answered = await answer(call);
          const { status } = answered;
          reply.code(status);
          if (answered.headers) reply.headers(answered.headers);
          if (answered.shows) request.shown = { tags: answered.shows, compressible: true };
          if (answered.json === undefined) return answered.body;
          reply.type(jsonHeaders['content-type']);
          return answered.json;
        },
      };
      if (!operation.streams) {
        app.route(route);
        return;
      }
      app.register(async (scope) => {
        passBodiesOn(scope);
        scope.route(route);
      });
    },

    bindAhead(operation, handle, options) {
      this.bind(operation, handle, options);
      ahead?.add({
        operation,
        params: (given) => parsePart(operation, operation.params, given, 'path'),
        query: (given) => parsePart(operation, operation.query, given, 'query'),
        byHead: (request) => authenticate.byHead(request, operation),
        byBody: (caller, request) => authenticate.byBody(caller, request, operation),
        answer: answering(operation, handle),
      });
    },

    async call<Op extends Operation>(operation: Op, call: InnerCall) {
      const answer = bound.get(operation);
      if (!answer) throw new Error(`${operation.id} is not bound`);
      const { headers, body, reply } = call;
      try {
        const head = { method: operation.method, headers, body };
        const params = parsePart(operation, operation.params, call.params, 'path');
        const caller = authenticate.byBody(await authenticate.byHead(head, operation), head, operation);
        const query = parsePart(operation, operation.query, call.query, 'query');
        const { address } = reply.request;
        const parts = { headers, caller, params, query, body, address, response: reply.raw, reply };
        // The bound function returns what the operation promises; the watch checks that.
        return (await answer(parts)).body as AnswerOf<Op>;
      } catch (error) {
        watch?.refused(operation, toErrorAnswer(error, operation.edge, '', operation).code);
        throw error;
      }
    },
  };
}

export type Answered = OperationAnswer<unknown> & { readonly status: number };

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed && !response.writableFinished) controller.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
  return controller.signal;
}
