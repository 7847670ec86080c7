import type { ShownForm } from '@spaceport/contract/first-data';
import type { Accounts } from '../accounts/accounts.ts';
import { ownPath } from './next-path.ts';
import { type PageDocument, type PageScope, signInFirst } from './page-scope.ts';
import { emptyForm, shownAgain } from './shown-again.ts';

/** /handle: an account picks its handle, once, before it can publish. */
export function mountHandle(scope: PageScope, { accounts }: { accounts: Accounts }): void {
  scope.get('/handle', async (page) => {
    if (!page.session) return signInFirst(page);
    const next = ownPath(page.query.next);
    return page.session.creator.handle === null ? handlePage(emptyForm, next) : { redirect: next };
  });

  scope.post('/handle', async (page) => {
    if (!page.session) return signInFirst(page);
    const { id } = page.session.creator;
    const { handle = '' } = page.form;
    const next = ownPath(page.form.next);
    return shownAgain(
      async () => {
        await accounts.chooseHandle(id, handle);
        return { redirect: next };
      },
      { values: { handle }, fields: ['handle'] },
      (state) => handlePage(state, next),
    );
  });
}

function handlePage(form: ShownForm, next: string): PageDocument {
  return { title: 'Choose a handle', client: { page: 'handle', data: { next, form } } };
}
