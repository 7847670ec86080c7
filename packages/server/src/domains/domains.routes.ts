import * as contract from '@spaceport/contract/domains';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { isProxy, wasForwarded } from '../platform/http/client-address.ts';
import type { Binder } from '../platform/http/operations.ts';
import { domainAskPath } from '../platform/http/wrong-host.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { readDomain, removeDomain, writeDomain } from './domains.ts';
import type { OwnHosts } from './find-host.ts';

/** Binds the operations on the host name of a space, for its owner. */
export function bindDomains(binder: Binder, platform: Platform): void {
  binder.bind(contract.readDomain, async ({ params, caller }) => ({
    body: await readDomain(platform, requireCreator(caller), params.slug),
  }));
  binder.bind(contract.putDomain, async ({ params, body, caller }) => ({
    body: await writeDomain(platform, requireActive(caller), params.slug, body.host),
  }));
  binder.bind(contract.deleteDomain, async ({ params, caller }) => {
    await removeDomain(platform, requireActive(caller), params.slug);
    return { body: { deleted: true as const } };
  });
}

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * Answers a proxy that asks whether to get a certificate: 200 for the host of a space, else 404. Only this
 * machine and the proxies of TRUST_PROXY themselves may ask.
 */
export function mountDomainAsk(app: FastifyInstance, { config }: Platform, hosts: OwnHosts): void {
  app.get<{ Querystring: { domain?: unknown } }>(domainAskPath, async (request, reply) => {
    const address = request.socket.remoteAddress ?? '';
    const isNear = loopback.has(address) || isProxy(config.TRUST_PROXY, address) !== false;
    // A forwarded request comes from elsewhere.
    const mayAsk = isNear && !wasForwarded(request.headers);
    const { domain } = request.query;
    const host = typeof domain === 'string' ? domain.toLowerCase().replace(/\.$/u, '') : '';
    if (!mayAsk || (await hosts.find(host)) === null)
      throw new ServiceError('not_found', 'This is not the host name of a space.');
    return reply.code(200).send({ host });
  });
}
