import type { Urls } from '../platform/urls.ts';
import { type PageScope, publicDocument } from './page-scope.ts';

/** /drop: a folder or a zip becomes a page. Reading one takes script; the command line does the same without. */
export function mountDrop(scope: PageScope, { previewOrigins }: Pick<Urls, 'previewOrigins'>): void {
  scope.get(
    '/drop',
    async () => ({
      title: 'Publish a folder',
      index: true,
      description: 'Drop a folder with an index.html, or a zip of it, and see it run. No account needed.',
      headers: publicDocument,
      shows: [],
      // The preview of what was dropped is shown in a frame.
      frames: [previewOrigins],
      client: { page: 'drop', data: null },
    }),
    { cacheable: { query: [], ignoresOthers: true } },
  );
}
