import type { FastifyInstance } from 'fastify';
import { listAddresses } from '../gallery/gallery.ts';
import type { Platform } from '../platform/context.ts';

/** A file may have 50,000 addresses (sitemaps.org); older spaces are found on their creators' pages. */
const mostSpaces = 20_000;
const keptMs = 600_000;

/**
 * GET /sitemap.xml: the addresses of the listed spaces and their creators, for search engines. The gallery links
 * to its first spaces only, and its other pages are not for them. It is made again after ten minutes: the response
 * cache would make it again after each change of a space.
 */
export function mountSitemap(app: FastifyInstance, platform: Platform): void {
  const { urls, clock } = platform;
  let made: { readonly at: number; readonly text: Promise<string> } | null = null;
  const draw = async () => {
    const { slugs, handles } = await listAddresses(platform, mostSpaces);
    const addresses = [
      `${urls.app}/`,
      ...slugs.map((slug) => urls.page(slug)),
      ...handles.map((handle) => urls.creator(handle)),
    ];
    const lines = addresses.map((address) => `<url><loc>${address}</loc></url>`);
    return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</urlset>
`;
  };
  app.get('/sitemap.xml', { exposeHeadRoute: true }, async (_request, reply) => {
    const now = clock.now();
    if (made === null || now - made.at > keptMs) made = { at: now, text: draw() };
    try {
      const text = await made.text;
      return reply
        .header('cache-control', `public, max-age=${keptMs / 1_000}`)
        .type('application/xml; charset=utf-8')
        .send(text);
    } catch (error) {
      made = null;
      throw error;
    }
  });
}
