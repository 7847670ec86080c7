import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Platform } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { isSameText } from '../secrets/same-text.ts';
import { answerEarly, refuseEarly } from './answer-early.ts';
import { wasForwarded } from './client-address.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import type { RequestMetrics } from './request-metrics.ts';

const loopback = new Set(['127.0.0.1', '::1']);

/** What does not work as it should, by its name, in a word. It does not make a node less ready. */
export type ReadinessDetails = Readonly<Record<string, string>>;

/** Responds to all requests while the database is not there yet: the process is healthy, and not ready. */
export function answerNotReady({ url }: IncomingMessage, response: ServerResponse): void {
  if (url === '/healthz') {
    answerEarly(response, 200, { status: 'ok' });
  } else if (url === '/readyz' || url === '/readyz/content') {
    const state = { status: 'unavailable', database: 'unavailable', store: 'unknown' };
    answerEarly(response, 503, state, { 'retry-after': '2' });
  } else refuseEarly(response, new ServiceError('failed', 'The service waits for its database; try again.'));
}

/**
 * Serves four addresses. `/healthz` says that the process answers; `/readyz` that its database, its store
 * and the other processes of its server do too; `/readyz/content` that it serves spaces at their hosts; `/metrics`
 * has the metrics of all of them, for Prometheus.
 * @param readDetails returns what a node that takes requests has to tell besides
 */
export function mountHealth(
  app: FastifyInstance,
  platform: Platform,
  { registry }: RequestMetrics,
  readDetails: () => Promise<ReadinessDetails>,
): void {
  const { config, together } = platform;
  const readiness = createReadiness(platform);
  // Monitors ask by HEAD, too.
  app.get('/healthz', { exposeHeadRoute: true }, async () => ({ status: 'ok' }));
  const respond = (reply: FastifyReply, state: Readiness) => {
    const takesRequests = state.status === 'ok' || state.status === 'degraded';
    if (!takesRequests) reply.code(503).header('retry-after', '2');
    return state;
  };
  app.get('/readyz', { exposeHeadRoute: true }, async (_request, reply) => {
    const state = respond(reply, await readiness.all());
    return reply.statusCode === 200 ? { ...state, ...(await readDetails().catch(() => ({}))) } : state;
  });
  app.get('/readyz/content', { exposeHeadRoute: true }, async (_request, reply) =>
    respond(reply, await readiness.content()),
  );
  app.get('/metrics', async (request, reply) => {
    // Behind a proxy, every request seems to come from the proxy, which is often on this machine.
    const isLocal =
      config.TRUST_PROXY === false && loopback.has(request.address) && !wasForwarded(request.headers);
    const allowed =
      config.METRICS_TOKEN === null
        ? isLocal
        : isSameText(request.headers.authorization ?? '', `Bearer ${config.METRICS_TOKEN}`);
    if (!allowed) throw new ServiceError('unauthorized', 'Metrics need the METRICS_TOKEN.');
    reply.type(registry.contentType);
    if (together.processes === 1) return registry.metrics();
    const { sumOfFigures } = await import('../processes/figures.ts');
    return sumOfFigures(await together.figures()).metrics();
  });
}
