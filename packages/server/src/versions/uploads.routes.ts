import type { FastifyInstance } from 'fastify';
import { type LinkSigner, uploadRoute } from '../platform/secrets/link-signer.ts';
import type { Uploads } from './uploads.ts';

/** Slower than this for the whole body is a connection held for nothing. */
const minBytesPerSecond = 16 * 1024;
const graceSeconds = 30;

/** `PUT` of a file to its upload link: no credential but the link, the body passed on as a stream. */
export function mountUploads(app: FastifyInstance, links: LinkSigner, uploads: Uploads): void {
  app.register(async (scope) => {
    // The bytes are nobody's to parse, whatever type they claim to be.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.put<{ Params: { id: string; hash: string }; Querystring: Record<string, unknown> }>(
      uploadRoute,
      { config: { edge: 'hosting', streams: true } },
      async (request) => {
        const { id, hash } = request.params;
        const grant = links.readUpload(id, hash, request.query);
        const size = grant?.size ?? 0;
        const timer = setTimeout(
          () => request.raw.destroy(),
          (graceSeconds + size / minBytesPerSecond) * 1000,
        );
        try {
          return await uploads.receive(grant, request.raw, declaredLength(request.headers['content-length']));
        } finally {
          clearTimeout(timer);
        }
      },
    );
  });
}

function declaredLength(header: string | undefined): number | null {
  return header === undefined ? null : Number(header);
}
