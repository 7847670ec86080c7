import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Announcements } from '../src/platform/db/announcements.ts';
import { createBodyBudget } from '../src/platform/http/body-budget.ts';
import { createClientAddress } from '../src/platform/http/client-address.ts';
import { createHttpApp } from '../src/platform/http/server.ts';
import type { CacheableRoute } from '../src/platform/http/shown-answer.ts';
import { logInto } from '../src/platform/log.ts';
import { createMetrics } from '../src/platform/metrics/metrics.ts';
import { alone } from '../src/platform/processes/together.ts';
import { ResponseCache } from '../src/response-cache/response-cache.ts';
import { TestClock } from './clock.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** An app that has only the response cache and the routes of a test. */
export interface CachedApp extends AsyncDisposable {
  readonly cache: ResponseCache;
  readonly clock: TestClock;
  readonly announcements: Announcements;
  readonly port: number;
  /** The log entries of requests, in order. */
  readonly logged: readonly Record<string, unknown>[];
  /** Number of loggers that were made for requests. */
  readonly loggersMade: number;
  metrics(): Promise<string>;
  /** Resolves when this many requests have arrived. */
  came(count: number): Promise<void>;
  get(path: string, headers?: Record<string, string>, method?: string): Promise<RawAnswer>;
}

export async function startCachedApp(
  routes: Readonly<Record<string, { readonly cacheable: CacheableRoute; readonly handle: Handle }>>,
  maxBytes = 1_000_000,
): Promise<CachedApp> {
  const server = createServer();
  const logged: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) logged.push(JSON.parse(line));
      done();
    },
  });
  const log = logInto(() => sink, 'info');
  const appOrigin = 'http://app.example';
  const bodies = createBodyBudget(1_000_000, alone(new TestClock(), { runsJobs: false }));
  const clientAddress = createClientAddress(false);
  const metrics = createMetrics().requests;
  const around = { server, log, appOrigin, clientAddress, bodies, metrics };
  const { app, handle } = createHttpApp({ ...around, tracer: null, watch: undefined });
  const clock = new TestClock();
  const announcements = new Announcements();
  const isPersonal = ({ cookie = '' }: { cookie?: string | undefined }) => cookie.includes('session=');
  const cache = new ResponseCache({ maxBytes, clock, log, announcements, metrics, isPersonal });
  cache.mount(app);
  for (const [url, { cacheable, handle: route }] of Object.entries(routes))
    app.get(url, { config: { cacheable }, exposeHeadRoute: true }, route);
  await app.ready();
  let loggersMade = 0;
  log.onChild = () => {
    loggersMade++;
  };
  const arrivals = new EventEmitter();
  let came = 0;
  server.on('request', (request, response) => {
    cache.handle(request, response, handle);
    came++;
    arrivals.emit('one');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    cache,
    clock,
    announcements,
    port,
    logged,
    get loggersMade() {
      return loggersMade;
    },
    async came(count) {
      while (came < count) await once(arrivals, 'one');
    },
    metrics: () => metrics.registry.metrics(),
    get: (path, headers = {}, method = 'GET') => rawRequest(port, `${appOrigin}${path}`, { method, headers }),
    async [Symbol.asyncDispose]() {
      cache.close();
      await app.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
