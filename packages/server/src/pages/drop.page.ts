import type { Urls } from '../platform/urls.ts';
import { html } from './html.ts';
import { type PageScope, publicDocument } from './page-scope.ts';

/** /drop: a folder or a zip becomes a page. Reading one takes script; the command line does the same without. */
export function mountDrop(
  scope: PageScope,
  { previewOrigins, app }: Pick<Urls, 'app' | 'previewOrigins'>,
): void {
  scope.get('/drop', async ({ session }) => ({
    title: 'Publish a folder',
    wide: true,
    index: true,
    description: 'Drop a folder with an index.html, or a zip of it, and see it run. No account needed.',
    headers: publicDocument,
    // The preview of what was dropped is shown in a frame.
    frames: [previewOrigins],
    client: { page: 'drop', data: null },
    body: html`<h1>Publish a folder</h1>
<p class="quiet">The one with your index.html and everything it needs. You see how it runs before anybody else does.</p>
<noscript><p class="notice">Reading a folder takes script, which is switched off in your browser. From a terminal it works without:</p></noscript>
<pre><code>npx spaceport publish ./my-game${session === null && ' --anonymous'} --server ${app}</code></pre>`,
  }));
}
