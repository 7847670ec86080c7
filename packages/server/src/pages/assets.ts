import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Urls } from '../platform/urls.ts';

const icon = readFileSync(new URL('icon.svg', import.meta.url));

/** The icon for programs that ask only for /favicon.ico, in 16, 32 and 48 pixels. */
const oldIcon = readFileSync(new URL('icon.ico', import.meta.url));

/** The icon for the home screen of a phone, which fills transparent ones with black: 180 pixels. */
const touchIcon = readFileSync(new URL('touch-icon.png', import.meta.url));

/** The icons of the manifest, by their width. What is cut off around the rocket is ground ("maskable"). */
const appIcons = [192, 512].map((width) => ({
  width,
  path: `/icon-${width}.png`,
  bytes: readFileSync(new URL(`icon-${width}.png`, import.meta.url)),
}));

/** What a phone shows of the service on its home screen (W3C, Web Application Manifest). */
const manifest = JSON.stringify({
  id: '/',
  name: 'Spaceport',
  description: 'Games and other things to play and use in the browser.',
  start_url: '/',
  // With a way back: a game that fills a window without one would be a dead end.
  display: 'minimal-ui',
  theme_color: '#17191f',
  background_color: '#17191f',
  icons: appIcons.flatMap(({ width, path }) =>
    (['any', 'maskable'] as const).map((purpose) => ({
      src: path,
      sizes: `${width}x${width}`,
      type: 'image/png',
      purpose,
    })),
  ),
});

const card = readFileSync(new URL('card.png', import.meta.url));

/**
 * Keeps search engines away from private pages and the API. Each other page says itself whether it may be
 * listed.
 */
const robots = (origin: string) => `User-agent: *
Disallow: /api/
Disallow: /dashboard
Disallow: /settings
Disallow: /operator

Sitemap: ${origin}/sitemap.xml
`;

/** Serves files with fixed addresses. All others are part of the build of the pages. */
export function mountAssets(app: FastifyInstance, { app: origin }: Pick<Urls, 'app'>): void {
  const forADay = 'public, max-age=86400';
  app.get('/favicon.ico', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', forADay).type('image/vnd.microsoft.icon').send(oldIcon),
  );
  app.get('/robots.txt', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', forADay).type('text/plain; charset=utf-8').send(robots(origin)),
  );
  app.get('/favicon.svg', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', forADay).type('image/svg+xml').send(icon),
  );
  app.get('/apple-touch-icon.png', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', forADay).type('image/png').send(touchIcon),
  );
  app.get('/manifest.webmanifest', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', forADay).type('application/manifest+json; charset=utf-8').send(manifest),
  );
  for (const { path, bytes } of appIcons)
    app.get(path, { exposeHeadRoute: true }, async (_request, reply) =>
      reply.header('cache-control', forADay).type('image/png').send(bytes),
    );
  app.get('/card.png', { exposeHeadRoute: true }, async (_request, reply) =>
    reply
      .header('cache-control', forADay)
      // Other sites show it, as they show the pictures of spaces.
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/png')
      .send(card),
  );
}
