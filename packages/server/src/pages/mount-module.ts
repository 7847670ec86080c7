import type { ServedModule } from '@spaceport/contract/sdk-protocol';
import type { FastifyInstance } from 'fastify';
import { acceptedCodings } from '../serving/accept-encoding.ts';
import { chooseVariant, type FileAnswer } from '../serving/file-answer.ts';
import { mediaTypeOf } from '../serving/media-types.ts';
import { answerOfBytes } from '../serving/module/answer-of-bytes.ts';
import type { ModuleTexts } from '../serving/module/module-texts.ts';

const media = mediaTypeOf('sdk.js');
/** An old one goes on working: its interface only grows. */
const choices = {
  cacheControl: 'public, max-age=600, stale-while-revalidate=86400',
  vary: 'Accept-Encoding',
  hasRanges: false,
};

/** GET /sdk.js, and /service/sdk-1.js: the player module, for pages that run elsewhere and are listed here. */
export function mountModule(app: FastifyInstance, modules: ModuleTexts, appOrigin: string): void {
  let made: Promise<FileAnswer> | undefined;
  const answer = async (): Promise<FileAnswer | null> => {
    await modules.ready;
    const served: ServedModule = { app: appOrigin, hosted: false, env: 'live', version: null, ascending: [] };
    // A page that runs elsewhere loads what it names: nothing stands in for it there.
    const text = modules.of(served, null);
    if (!text) return null;
    const policy = { appOrigin, temporary: false, isolated: false };
    made ??= answerOfBytes(text.bytes, text.hash, media, policy, choices);
    return made;
  };
  for (const path of ['/sdk.js', '/service/sdk-1.js']) {
    app.get(path, { exposeHeadRoute: true }, async ({ headers }, reply) => {
      const file = await answer();
      if (!file)
        return reply.code(503).header('retry-after', '30').header('cache-control', 'no-store').send();
      const { body = '', coding, etag } = chooseVariant(file, acceptedCodings(headers['accept-encoding']));
      reply
        .header('cache-control', choices.cacheControl)
        .header('vary', choices.vary)
        .header('etag', etag)
        // Pages of any site load it, those that are isolated and those that name its hash too.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
        .type(media.contentType);
      if (coding !== 'identity') reply.header('content-encoding', coding);
      return reply.send(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
    });
  }
}
