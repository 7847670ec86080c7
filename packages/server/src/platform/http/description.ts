import { audiences, buildOpenApi, descriptionPaths } from '@spaceport/contract/openapi';
import type { FastifyInstance } from 'fastify';

/** `GET /api/openapi.json` and those beside it: made of the schemas that validate requests, on first use. */
export function mountDescription(app: FastifyInstance): void {
  for (const audience of audiences) {
    let description: string | null = null;
    app.get(descriptionPaths[audience], async (_request, reply) => {
      description ??= JSON.stringify(buildOpenApi(audience));
      reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
      return description;
    });
  }
}
