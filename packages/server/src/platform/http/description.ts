import { buildOpenApi } from '@spaceport/contract/openapi';
import type { FastifyInstance } from 'fastify';

/** `GET /api/openapi.json`: made of the schemas that validate requests, on first use. */
export function mountDescription(app: FastifyInstance): void {
  let description: string | null = null;
  app.get('/api/openapi.json', async (_request, reply) => {
    description ??= JSON.stringify(buildOpenApi());
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
    return description;
  });
}
