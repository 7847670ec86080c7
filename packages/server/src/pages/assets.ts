import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const icon = readFileSync(new URL('icon.svg', import.meta.url));

/** The one file of ours that has an address of its own; the others come out of the build of the pages. */
export function mountAssets(app: FastifyInstance): void {
  app.get('/favicon.svg', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(icon),
  );
}
