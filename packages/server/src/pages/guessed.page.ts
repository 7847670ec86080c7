import type { PageScope } from './page-scope.ts';

/** /docs and /publish, which people guess: they lead to the first document, and to the section of the front page. */
export function mountGuessed(scope: PageScope): void {
  scope.get('/docs', async () => ({ redirect: '/docs/publish.md' }));
  scope.get('/publish', async () => ({ redirect: '/#publish' }));
}
