import type { FastifyInstance } from 'fastify';
import { givenId } from '../platform/db/ids.ts';
import { type BodyBudget, declaredBytes } from '../platform/http/body-budget.ts';
import { atLeastSpeed } from '../platform/http/least-speed.ts';
import { passBodiesOn } from '../platform/http/pass-bodies-on.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { type LinkSigner, uploadBatchRoute, uploadRoute } from '../platform/secrets/link-signer.ts';
import { receiveBatch } from './upload-batch.ts';
import { smallBytes } from './upload-links.ts';
import type { Uploads } from './uploads.ts';

export interface UploadFace {
  readonly links: LinkSigner;
  readonly uploads: Uploads;
  /** The memory budget for small files, which are gathered in memory like other bodies. */
  readonly bodies: BodyBudget;
}

/**
 * Mounts the `PUT` of a file to its upload link, and the `POST` of several small files with theirs. A link is
 * the only credential of its file. Bodies are passed on as streams.
 */
export function mountUploads(app: FastifyInstance, { links, uploads, bodies }: UploadFace): void {
  app.register(async (scope) => {
    passBodiesOn(scope);
    scope.put<{ Params: { id: string; hash: string }; Querystring: Record<string, unknown> }>(
      uploadRoute,
      { config: { edge: 'hosting', streams: true } },
      ({ params: { id, hash }, query, raw, headers, address }) =>
        uploads.receive({
          grant: links.readUpload(givenId('ver', id), hash, query),
          source: atLeastSpeed(raw, () => raw.destroy()),
          declaredLength: declaredBytes(headers),
          network: networkOf(address),
          bodies,
        }),
    );
    scope.post(
      uploadBatchRoute,
      { config: { edge: 'hosting', streams: true } },
      async ({ raw, address }) => ({
        files: await receiveBatch(
          atLeastSpeed(raw, () => raw.destroy()),
          {
            maxFileBytes: smallBytes,
            readLink: (link) => links.readUploadLink(link),
            receive: (grant, source) =>
              uploads.receive({ grant, source, declaredLength: null, network: networkOf(address), bodies }),
          },
        ),
      }),
    );
  });
}
