import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const icon = readFileSync(new URL('icon.svg', import.meta.url));

/** For browsers and others that look in one place only: the same picture, in 16, 32 and 48 pixels. */
const oldIcon = readFileSync(new URL('icon.ico', import.meta.url));

/** What is somebody's own is not for search engines, nor what programs call; the pages themselves say which to list. */
const robots = `User-agent: *
Disallow: /api/
Disallow: /dashboard
Disallow: /settings
Disallow: /operator
`;

/** The files of ours that have an address of their own; the others come out of the build of the pages. */
export function mountAssets(app: FastifyInstance): void {
  const forADay = 'public, max-age=86400';
  app.get('/favicon.ico', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', forADay).type('image/vnd.microsoft.icon').send(oldIcon),
  );
  app.get('/robots.txt', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', forADay).type('text/plain; charset=utf-8').send(robots),
  );
  app.get('/favicon.svg', async (_request, reply) =>
    reply.header('cache-control', forADay).type('image/svg+xml').send(icon),
  );
}
