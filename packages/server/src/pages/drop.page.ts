import { cardPicture } from '../gallery/card-picture.ts';
import type { Platform } from '../platform/context.ts';
import { type PageScope, publicDocument } from './page-scope.ts';

/**
 * /drop: publishes a dropped folder or zip. It needs script; the command line does the same without a
 * browser.
 */
export function mountDrop(
  scope: PageScope,
  { config, urls: { app, previewOrigins } }: Pick<Platform, 'config' | 'urls'>,
): void {
  const what = 'Drop a folder with an index.html, or a zip of it, and see it run.';
  const description = config.ANONYMOUS_PUBLISHES_PER_HOUR === 0 ? what : `${what} No account needed.`;
  scope.get(
    '/drop',
    async () => ({
      title: 'Publish a folder',
      index: true,
      description,
      social: { canonical: `${app}/drop`, type: 'website', image: cardPicture(app) },
      headers: publicDocument,
      shows: [],
      // The page shows the new preview in a frame.
      frames: [previewOrigins],
      client: { page: 'drop', data: null },
    }),
    { cacheable: { query: [], ignoresOthers: true } },
  );
}
