import { cardPicture } from '../gallery/card-picture.ts';
import type { Urls } from '../platform/urls.ts';
import { type PageScope, publicDocument } from './page-scope.ts';

/**
 * /drop: publishes a dropped folder or zip. It needs script; the command line does the same without a
 * browser.
 */
export function mountDrop(
  scope: PageScope,
  { app, previewOrigins }: Pick<Urls, 'app' | 'previewOrigins'>,
): void {
  scope.get(
    '/drop',
    async () => ({
      title: 'Publish a folder',
      index: true,
      description: 'Drop a folder with an index.html, or a zip of it, and see it run. No account needed.',
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
