import { ServiceError } from '../platform/errors.ts';
import { type PageScope, signInFirst } from './page-scope.ts';

/** /operator: for operators alone. `previews` is the origin of previews, with a star for their labels. */
export function mountOperator(scope: PageScope, { previews }: { previews: string }): void {
  scope.get('/operator', async (page) => {
    if (!page.session) return signInFirst(page);
    if (!page.session.creator.operator) throw new ServiceError('forbidden', 'This page is for operators.');
    return {
      title: 'Operate',
      // A version under review runs beside its report, at the address of a preview.
      frames: [previews],
      client: { page: 'operator', data: null },
    };
  });
}
