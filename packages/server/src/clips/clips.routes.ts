import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Platform } from '../platform/context.ts';
import { findCheckPicture, findPublicTake } from './clips.queries.ts';

/**
 * Browsers keep a take for good: its address never shows another picture. Caches in between ask every minute, so
 * that what is taken down is gone there too.
 */
const publicCaching = 'public, max-age=31536000, s-maxage=60, immutable';
const privateCaching = 'private, max-age=3600, immutable';
const takeFile = /^([1-9]\d{0,14})(-small)?\.webp$/u;
const checkFile = /^([0-9a-z]{26})\.webp$/u;

/** The pictures, which are ours: nothing that was uploaded is ever answered here. */
export function mountClips(app: FastifyInstance, { database, store }: Platform): void {
  app.get<{ Params: { space: string; file: string } }>('/clips/:space/:file', async (request, reply) => {
    const [, take, small] = takeFile.exec(request.params.file) ?? [];
    const clip = take && (await findPublicTake(database.db, request.params.space, Number(take)));
    if (!clip) return reply.callNotFound();
    return send(reply, await store.read(small ? clip.key_small : clip.key), publicCaching);
  });
  app.get<{ Params: { file: string } }>('/clips/checks/:file', async (request, reply) => {
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
    // Other sites show them: in link previews, and where a page of ours is embedded.
    .header('cross-origin-resource-policy', 'cross-origin');
  return picture;
}
