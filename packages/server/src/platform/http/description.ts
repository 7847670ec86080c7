import { audiences, buildOpenApi, descriptionPaths } from '@spaceport/contract/openapi';
import type { FastifyInstance } from 'fastify';

/**
 * Serves `GET /api/openapi.json` and its siblings. They are made from the schemas that validate requests, at
 * the first use.
 */
export function mountDescription(app: FastifyInstance): void {
  for (const audience of audiences) {
    let description: string | null = null;
    app.get(descriptionPaths[audience], { exposeHeadRoute: true }, async (_request, reply) => {
      description ??= JSON.stringify(buildOpenApi(audience));
      reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
      return description;
    });
  }
}
