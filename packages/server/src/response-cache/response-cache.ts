import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock/clock.ts';
import type { Announcements } from '../platform/db/announcements.ts';
import { type ShownTag, shownThing } from '../platform/db/shown.ts';
import { hasBody } from '../platform/http/body-budget.ts';
import type { RequestHandler } from '../platform/http/listener.ts';
import type { RequestMetrics } from '../platform/http/request-metrics.ts';
import type { ServiceLog } from '../platform/log.ts';
import type { CacheCounts } from '../platform/metrics/cache-metrics.ts';
import { type Address, CacheKeys } from './cache-keys.ts';
import { Flights, type Waiting } from './flights.ts';
import { goodUntil } from './good-until.ts';
import { Repeats } from './repeats.ts';
import { type Form, StoredAnswer } from './stored-answer.ts';
import { TaggedCache } from './tagged-cache.ts';

export interface ResponseCacheOptions {
  /** The memory for responses in bytes; 0 for none. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly announcements: Announcements;
  readonly metrics: RequestMetrics;
  /** Returns whether a request belongs to a person, who may get another response. */
  readonly isPersonal: (headers: IncomingHttpHeaders) => boolean;
}

/**
 * A cache in front of the framework for responses that are the same for everyone. They are made once and kept
 * in memory until the data that they show changes (docs/decisions/0019). Routes declare which responses may
 * be kept (`cacheable`), and which tags each shows (`shown`).
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #keys = new CacheKeys();
  readonly #answers: TaggedCache<ShownTag, StoredAnswer>;
  readonly #flights: Flights;
  readonly #repeats = new Repeats();
  readonly #log: ServiceLog;
  readonly #stopListening: () => void;
  #hits = 0;
  #misses = 0;

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
    this.#answers = new TaggedCache(options.maxBytes);
    this.#flights = new Flights(this.#answers);
    this.#log = options.log;
    this.#stopListening = options.announcements.listen(shownThing, (tag) => {
      if (tag === '*') this.#answers.dropAll();
      // The id of an announcement of this thing is a tag.
      else this.#drop(tag as ShownTag);
    });
  }

  /** The memory of all kept responses, in bytes. */
  get bytes(): number {
    return this.#answers.bytes;
  }

  /** A request that waits for another's response is neither a hit nor a miss. */
  get counts(): CacheCounts {
    return { hits: this.#hits, misses: this.#misses, bytes: this.bytes };
  }

  close(): void {
    this.#stopListening();
    this.#answers.dropAll();
  }

  /** Adds the routes that are mounted from now on, and keeps their responses. */
  mount(app: FastifyInstance): void {
    app.decorateRequest('shown', null);
    app.decorateRequest('isKept', false);
    app.addHook('onRoute', ({ method, url, config }) => {
      const methods = [method].flat();
      if (config?.cacheable && methods.includes('GET')) this.#keys.add(url, config.cacheable);
    });
    app.addHook('onRequest', (request, _reply, done) => {
      request.isKept = this.#flights.isOf(request.raw);
      done();
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      if (!request.isKept) return done(null, payload);
      const isSentOnce = !this.#flights.isForOthers(request.raw);
      const answer = answerOf(request, reply, payload, isSentOnce);
      const now = this.#options.clock.now();
      this.#flights.land(
        request.raw,
        answer && { answer, tags: request.shown?.tags ?? [], madeAt: now, goodUntil: goodUntil(now) },
        (waiting, made) => this.#resume(waiting, made),
      );
      if (answer === null) return done(null, payload);
      this.#respond(answer, request, reply).then((body) => done(null, body), done);
    });
  }

  /** Answers a request from the cache, or calls `next`; `others` if its response is never kept. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    next: RequestHandler,
    others: RequestHandler = next,
  ): void {
    const address = this.#addressOf(request);
    if (address === null) {
      others(request, response);
      return;
    }
    const { variant, url } = address;
    const key = variant === undefined ? url : `${variant(request.headers)} ${url}`;
    const now = this.#options.clock.now();
    const stored = this.#answers.get(key, now);
    const waiting = { request, response, next, since: performance.now() };
    if (stored !== undefined) {
      this.#hits++;
      this.#send(stored, waiting);
    } else if (!this.#flights.join(key, waiting)) {
      this.#misses++;
      // The route sees the normalised URL, under which the response is kept. `originalUrl` has all of it, for
      // responses that are not kept.
      Object.assign(request, { originalUrl: request.url, url });
      const isKept = !address.onRepeat || this.#repeats.note(key, now);
      this.#flights.begin(key, isKept, waiting, (left, made) => this.#resume(left, made));
      next(request, response);
    }
  }

  #addressOf(request: IncomingMessage): Address | null {
    const { method, headers, url = '' } = request;
    const { maxBytes, announcements, isPersonal } = this.#options;
    if (method !== 'GET' || maxBytes === 0 || announcements.isDeaf) return null;
    if (headers.authorization !== undefined || hasBody(request)) return null;
    if (headers.cookie !== undefined && isPersonal(headers)) return null;
    return this.#keys.find(url);
  }

  /** Drops a tag. A space that changes is also in lists. */
  #drop(tag: ShownTag): void {
    this.#answers.drop(tag);
    if (tag.startsWith('space:')) this.#answers.drop('spaces');
  }

  /** Continues a request that waited: with the new response, with another try, or with the route itself. */
  #resume(waiting: Waiting, made: StoredAnswer | 'again' | 'alone'): void {
    const { request, response, next } = waiting;
    if (response.destroyed) return;
    if (made === 'alone') next(request, response);
    else if (made === 'again') this.handle(request, response, next);
    else this.#send(made, waiting);
  }

  #send(answer: StoredAnswer, waiting: Waiting): void {
    const form = answer.formFor(header(waiting.request, 'accept-encoding'));
    if (form instanceof Promise)
      void form.then((made) => {
        if (!waiting.response.destroyed) this.#write(answer, made, waiting);
      });
    else this.#write(answer, form, waiting);
  }

  #write(answer: StoredAnswer, form: Form, { request, response, since }: Waiting): void {
    const reqId = randomUUID();
    const known = answer.tagIn(request.headers['if-none-match'], form);
    const status = known === undefined ? 200 : 304;
    if (known === undefined) {
      form.head.write(response, reqId, form.bytes);
      response.end(form.body);
    } else {
      response.writeHead(status, ['x-request-id', reqId, 'etag', known, ...form.notModified]);
      response.end();
    }
    const ms = performance.now() - since;
    this.#log.requestLine({ reqId, method: 'GET', path: answer.path, status, ms: Math.round(ms) });
    this.#options.metrics.observe({ route: answer.route, method: 'GET', status }, ms / 1_000);
  }

  /** The request that made the response gets the same form as those that come later. */
  async #respond(
    answer: StoredAnswer,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Buffer | string | null> {
    const form = await answer.formFor(header(request.raw, 'accept-encoding'));
    const known = answer.tagIn(request.headers['if-none-match'], form);
    for (const name of ['content-length', ...(known === undefined ? [] : ['content-type'])])
      reply.removeHeader(name);
    if (known === undefined) {
      reply.headers(form.headers);
      return form.body;
    }
    reply.code(304).header('etag', known);
    return null;
  }
}

function header({ headers }: IncomingMessage, name: 'accept-encoding'): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Headers that are written for each request. */
const perRequest: ReadonlySet<string> = new Set(['x-request-id', 'content-length', 'date', 'connection']);

/** Returns the response of a route for keeping; null if it may not be kept. */
function answerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  isSentOnce: boolean,
): StoredAnswer | null {
  const { shown, raw, routeOptions } = request;
  if (shown === null || reply.statusCode !== 200) return null;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return null;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    // The only header with several values is set-cookie, and a response with cookies belongs to one person.
    if (Array.isArray(value) || name === 'set-cookie') return null;
    if (value !== undefined && !perRequest.has(name)) headers[name] = String(value);
  }
  const [path = ''] = (raw.url ?? '').split('?', 1);
  const place = { route: routeOptions.url ?? '', path };
  return new StoredAnswer(place, isSentOnce ? payload : Buffer.from(payload), headers, shown);
}
