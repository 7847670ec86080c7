import type { FastifyInstance } from 'fastify';
import mime from 'mime-types';
import { acceptedCodings } from '../../serving/accept-encoding.ts';
import type { BuiltPages } from './built-pages.ts';

/** GET /assets/{name}: names have a hash of the content, so the files may be cached for good. */
export function mountBuilt(app: FastifyInstance, built: BuiltPages): void {
  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { exposeHeadRoute: true },
    async ({ params, headers }, reply) => {
      // Compressed forms are served under the original's name only.
      const file = /\.(?:br|gz)$/u.test(params.name) ? null : await built.read(params.name);
      if (!file) return reply.callNotFound();
      const accepted = acceptedCodings(headers['accept-encoding']);
      const coding =
        accepted.br > 0 && file.br !== null ? 'br' : accepted.gzip > 0 && file.gzip !== null ? 'gzip' : null;
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'accept-encoding')
        .header('cross-origin-resource-policy', 'same-origin')
        .type(mime.contentType(params.name) || 'application/octet-stream');
      if (coding !== null) reply.header('content-encoding', coding);
      return reply.send((coding === null ? null : file[coding]) ?? file.identity);
    },
  );
}
