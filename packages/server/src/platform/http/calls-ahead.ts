import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@spaceport/contract/operation';
import { networkOf } from '../limits/address-network.ts';
import type { ServiceLog } from '../log.ts';
import { type Soon, whenKnown } from '../when-known.ts';
import type { Credentialed } from './admit.ts';
import { type AheadAddress, AheadRoutes } from './ahead-routes.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { type BodyBudget, declaredBytes, hasBody } from './body-budget.ts';
import type { Caller } from './caller.ts';
import type { ClientAddress } from './client-address.ts';
import { jsonHeaders } from './json-headers.ts';
import { KeptHead } from './kept-head.ts';
import type { RequestHandler } from './listener.ts';
import type { AdmittedCall, Answered } from './operations.ts';
import { readBody } from './read-body.ts';
import { readText } from './read-text.ts';
import { refusalOf } from './refusals.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { endSlowBody } from './slow-body.ts';

/** A bound operation as the steps of a request. Each step throws the refusal. */
export interface BoundAhead {
  readonly operation: Operation;
  readonly params: (given: unknown) => unknown;
  readonly query: (given: unknown) => unknown;
  readonly byHead: (request: Credentialed) => Soon<Caller | null>;
  readonly byBody: (caller: Caller | null, request: Credentialed) => Caller;
  readonly answer: (call: AdmittedCall) => Soon<Answered>;
}

export interface CallsAheadOptions {
  readonly log: ServiceLog;
  readonly metrics: RequestMetrics;
  readonly appOrigin: string;
  readonly clientAddress: ClientAddress;
  readonly bodies: BodyBudget;
  readonly watch: AnswerWatch | undefined;
}

/** A response. */
interface Sent {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly text: string;
}

interface UnderWay {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly address: AheadAddress;
  readonly id: string;
  /** By `performance.now()`. */
  readonly since: number;
}

/**
 * Answers the operations that are called most ahead of the framework (docs/decisions/0034). The responses are
 * the same as those of the framework, and unusual requests are left to it.
 */
export class CallsAhead {
  readonly #options: CallsAheadOptions;
  readonly #routes = new AheadRoutes();
  readonly #log: ServiceLog;
  /** The heads of responses without headers of their own, by status. */
  readonly #heads = new Map<number, KeptHead>();

  constructor(options: CallsAheadOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  add(bound: BoundAhead): void {
    this.#routes.add(bound);
  }

  /** Answers the request or passes it to `next`. */
  handle(request: IncomingMessage, response: ServerResponse, next: RequestHandler): void {
    const address = this.#routes.find(request);
    if (address === null) {
      next(request, response);
      return;
    }
    const call = { request, response, address, id: randomUUID(), since: performance.now() };
    try {
      const answered = this.#admit(call, next);
      if (answered instanceof Promise) answered.catch((error: unknown) => this.#giveUp(call, error));
    } catch (error) {
      this.#giveUp(call, error);
    }
  }

  /** A failure of a request must not end the process. */
  #giveUp({ response, id }: UnderWay, error: unknown): void {
    this.#log.error({ err: error, reqId: id }, 'a response could not be sent');
    response.destroy();
  }

  /** Passes every request that is refused before its body is read to `next`: nothing of it is consumed then. */
  #admit(call: UnderWay, next: RequestHandler): Soon<void> {
    const { request, response, address } = call;
    const { bound } = address;
    const withBody = hasBody(request);
    let found: Soon<Caller | null>;
    try {
      if (withBody) endSlowBody(request);
      address.parsed ??= { params: bound.params(address.params), query: bound.query(address.query) };
      const { method = '', headers } = request;
      found = bound.byHead({ method, headers, body: undefined });
    } catch {
      return next(request, response);
    }
    if (withBody || found instanceof Promise) return this.#admitLater(call, found, withBody, next);
    return this.#answer(call, found, '');
  }

  async #admitLater(
    call: UnderWay,
    found: Soon<Caller | null>,
    withBody: boolean,
    next: RequestHandler,
  ): Promise<void> {
    const { request, response } = call;
    let caller: Caller | null;
    let hasRoom = true;
    try {
      caller = await found;
      if (withBody) hasRoom = await this.#makeRoom(call);
    } catch {
      return next(request, response);
    }
    if (!hasRoom) return next(request, response);
    const text = withBody ? await readText(request) : '';
    if (text !== null) await this.#answer(call, caller, text);
    else this.#brokenOff(call);
  }

  #brokenOff({ request, address, id, since }: UnderWay): void {
    const ms = Math.round(performance.now() - since);
    this.#log.brokenOff({ reqId: id, method: request.method ?? '', path: address.path, ms });
  }

  #makeRoom({ request, response }: UnderWay): Soon<boolean> {
    const { clientAddress, bodies } = this.#options;
    const taken = bodies.take(declaredBytes(request.headers) ?? 0, networkOf(clientAddress(request)));
    return whenKnown(taken, (giveBack) => {
      // A client that left meanwhile emits no further `close`.
      if (response.destroyed) giveBack?.();
      else if (giveBack) response.once('close', giveBack);
      return giveBack !== null;
    });
  }

  #answer(call: UnderWay, caller: Caller | null, text: string): Soon<void> {
    let sent: Soon<Sent>;
    try {
      sent = whenKnown(this.#call(call, caller, text), sentOf);
    } catch (error) {
      sent = this.#refusal(call, error);
    }
    if (!(sent instanceof Promise)) return this.#end(call, sent);
    return sent.catch((error: unknown) => this.#refusal(call, error)).then((late) => this.#end(call, late));
  }

  /** Sends the response, logs it and counts it. */
  #end({ request, response, address, id, since }: UnderWay, sent: Sent): void {
    const { status } = sent;
    if (!response.destroyed) this.#send(response, sent, id);
    const ms = performance.now() - since;
    const { method = '' } = request;
    this.#log.requestLine({ reqId: id, method, path: address.path, status, ms: Math.round(ms) });
    this.#options.metrics.observe({ route: address.route, method, status }, ms / 1_000);
  }

  #call({ request, response, address }: UnderWay, found: Caller | null, text: string): Soon<Answered> {
    const { bound, parsed } = address;
    const { method = '', headers } = request;
    const body = text === '' ? undefined : readBody(text, headers, bound.operation);
    const caller = bound.byBody(found, { method, headers, body });
    return bound.answer({
      headers,
      caller,
      params: parsed?.params,
      query: parsed?.query,
      body,
      address: this.#options.clientAddress(request),
      response,
    });
  }

  #send(response: ServerResponse, { status, headers, text }: Sent, id: string): void {
    const bytes = Buffer.byteLength(text);
    if (headers === undefined) this.#usualHead(status).write(response, id, bytes);
    else response.writeHead(status, { 'x-request-id': id, ...always, ...headers, 'content-length': bytes });
    // ASCII text has the same bytes in both encodings, and Latin-1 is only copied.
    response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  }

  #usualHead(status: number): KeptHead {
    const known = this.#heads.get(status);
    if (known !== undefined) return known;
    const made = new KeptHead(Object.entries(always).flat(), status);
    this.#heads.set(status, made);
    return made;
  }

  #refusal({ request, address, id }: UnderWay, error: unknown): Sent {
    const { log, appOrigin, watch } = this.#options;
    const { operation } = address.bound;
    const asked = {
      id,
      url: request.url ?? '',
      params: address.params,
      operation,
      edge: operation.edge,
      isCutOff: false,
      log: log.child({ reqId: id }),
    };
    const { status, headers, body } = refusalOf(error, asked, { appOrigin, watch });
    return { status, headers, text: JSON.stringify(body) };
  }
}

function sentOf({ status, headers, body, json = JSON.stringify(body) }: Answered): Sent {
  if (typeof json !== 'string') throw new Error('only the framework streams responses');
  return { status, headers, text: json };
}

/** The headers of every response. */
const always = { ...jsonHeaders, 'cache-control': 'no-store' };
