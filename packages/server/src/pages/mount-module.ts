import type { FastifyInstance } from 'fastify';
import { acceptedCodings } from '../serving/accept-encoding.ts';
import { chooseVariant, type FileAnswer } from '../serving/file-answer.ts';
import { mediaTypeOf } from '../serving/media-types.ts';
import { answerOfBytes } from '../serving/module/answer-of-bytes.ts';
import { type ModuleTexts, type ServedText, togetherPath } from '../serving/module/module-texts.ts';
import { forever } from '../serving/policy-headers.ts';

const media = mediaTypeOf('sdk.js');
/** Caching headers. An old module goes on working, because its interface only grows. */
const choices = {
  cacheControl: 'public, max-age=600, stale-while-revalidate=86400',
  vary: 'Accept-Encoding',
  hasRanges: false,
};

/**
 * GET /sdk.js, and /service/sdk-1.js: the player module, for listed pages that run elsewhere. It also serves
 * the second script, which the module loads.
 */
export function mountModule(app: FastifyInstance, modules: ModuleTexts, appOrigin: string): void {
  const texts: Readonly<Record<string, () => ServedText | null>> = {
    '/sdk.js': moduleOfElsewhere,
    '/service/sdk-1.js': moduleOfElsewhere,
    [togetherPath]: () => modules.together,
  };
  const made = new Map<ServedText, Promise<FileAnswer>>();
  const policy = { appOrigin, temporary: false, isolatedBy: null };

  function moduleOfElsewhere(): ServedText | null {
    // A page on another site uses that site's storage, so the module does not replace it.
    const unknown = { version: null, ascending: [], storage: false } as const;
    const served = { app: appOrigin, hosted: false, env: 'live', ...unknown } as const;
    // A page that runs elsewhere loads the portals' own scripts; they are not replaced there.
    return modules.of(served, null);
  }

  function answerOf(text: ServedText): Promise<FileAnswer> {
    const answer = made.get(text) ?? answerOfBytes(text.bytes, text.hash, media, policy, choices);
    made.set(text, answer);
    return answer;
  }

  for (const [path, textOf] of Object.entries(texts)) {
    app.get(path, { exposeHeadRoute: true }, async ({ headers, url }, reply) => {
      await modules.ready;
      const text = textOf();
      if (!text)
        return reply.code(503).header('retry-after', '30').header('cache-control', 'no-store').send();
      const accepted = acceptedCodings(headers['accept-encoding']);
      const { body = '', coding, etag } = chooseVariant(await answerOf(text), accepted);
      reply
        // The content at an address with the hash never changes.
        .header('cache-control', url === `${path}?${text.hash}` ? forever : choices.cacheControl)
        .header('vary', choices.vary)
        .header('etag', etag)
        // Pages of any site load it, also isolated pages and pages with an integrity hash.
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
        .type(media.contentType);
      if (coding !== 'identity') reply.header('content-encoding', coding);
      return reply.send(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
    });
  }
}
