import { ServiceError } from '../platform/errors.ts';
import { type PageScope, signInFirst } from './page-scope.ts';

/** /operator: for operators only. `previews` is the origin of previews, with a star for the label. */
export function mountOperator(scope: PageScope, { previews }: { previews: string }): void {
  scope.get('/operator', async (page) => {
    if (!page.session) return signInFirst(page);
    if (!page.session.creator.operator) throw new ServiceError('forbidden', 'This page is for operators.');
    return {
      title: 'Operate',
      // A version under review is framed beside its report, at an address of the preview host.
      frames: [previews],
      client: { page: 'operator', data: null },
    };
  });
}
