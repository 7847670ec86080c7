import * as covers from '@spaceport/contract/covers';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { toOwnSpace } from '../spaces/space-view.ts';
import { findCheckPicture, findPublicCover, findPublicTake } from './clips.queries.ts';
import { chooseCover, deleteCover, putCover } from './covers.ts';
import { readTakes } from './takes.ts';

/**
 * Browsers keep a take for good, because its address never shows another picture. Shared caches revalidate
 * every minute, so that a removed picture disappears there too.
 */
const publicCaching = 'public, max-age=31536000, s-maxage=60, immutable';
const privateCaching = 'private, max-age=3600, immutable';
const spaceName = /^spc_[0-9a-z]{16}$/u;
const publicFile = /^(?:([1-9]\d{0,14})|cover-([0-9a-z]{26}))(-small)?\.webp$/u;
const checkFile = /^([0-9a-z]{26})\.webp$/u;

/** Whoever previews links asks for the size of a picture first. */
const withHead = { exposeHeadRoute: true } as const;

export function bindCovers(binder: Binder, platform: Platform): void {
  const { urls } = platform;
  binder.bind(covers.putCover, async ({ caller, params, body }) => ({
    body: toOwnSpace(urls, await putCover(platform, requireActive(caller), params.slug, body)),
  }));
  binder.bind(covers.deleteCover, async ({ caller, params }) => ({
    body: toOwnSpace(urls, await deleteCover(platform, requireActive(caller), params.slug)),
  }));
  binder.bind(covers.chooseCover, async ({ caller, params, body }) => ({
    body: toOwnSpace(urls, await chooseCover(platform, requireActive(caller), params.slug, body.take)),
  }));
  binder.bind(covers.readTakes, async ({ caller, params }) => ({
    body: await readTakes(platform, requireCreator(caller), params.slug),
  }));
}

/** Mounts the routes of pictures. The service made all of them; uploaded bytes are never sent here. */
export function mountClips(app: FastifyInstance, { database, store }: Platform): void {
  app.get<{ Params: { space: string; file: string } }>(
    '/clips/:space/:file',
    withHead,
    async (request, reply) => {
      const { space, file } = request.params;
      if (!spaceName.test(space)) return reply.callNotFound();
      const id = givenId('spc', space);
      const [, take, name, small] = publicFile.exec(file) ?? [];
      const { db } = database;
      const found = take
        ? await findPublicTake(db, id, Number(take))
        : name && (await findPublicCover(db, id, name));
      if (!found) return reply.callNotFound();
      return send(reply, await store.read(small ? found.key_small : found.key), publicCaching);
    },
  );
  app.get<{ Params: { file: string } }>('/clips/checks/:file', withHead, async (request, reply) => {
    const [, name] = checkFile.exec(request.params.file) ?? [];
    const picture = name && (await findCheckPicture(database.db, name));
    if (!picture) return reply.callNotFound();
    return send(reply, await store.read(picture.key), privateCaching);
  });
}

function send(reply: FastifyReply, picture: Buffer, cacheControl: string): Buffer {
  reply
    .type('image/webp')
    .header('cache-control', cacheControl)
    .header('content-security-policy', "default-src 'none'; sandbox")
    // Other sites may show them, in link previews and where a page of the service is embedded.
    .header('cross-origin-resource-policy', 'cross-origin');
  return picture;
}
