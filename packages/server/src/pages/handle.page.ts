import type { Accounts } from '../accounts/accounts.ts';
import { emptyForm, type FormState, field, formProblem, hidden } from './forms.ts';
import { html } from './html.ts';
import { ownPath } from './next-path.ts';
import { type PageDocument, type PageScope, signInFirst } from './page-scope.ts';
import { shownAgain } from './shown-again.ts';

/** /handle: an account picks its handle, once, before it can publish. */
export function mountHandle(scope: PageScope, { accounts }: { accounts: Accounts }): void {
  scope.get('/handle', async (page) => {
    if (!page.session) return signInFirst(page);
    const next = ownPath(page.query.next, '/settings');
    if (page.session.creator.handle !== null) return { redirect: next };
    return { ...handlePage(emptyForm, next), client: { page: 'handle', data: { next } } };
  });

  scope.post('/handle', async (page) => {
    if (!page.session) return signInFirst(page);
    const { id } = page.session.creator;
    const { handle = '' } = page.form;
    const next = ownPath(page.form.next, '/settings');
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

function handlePage(form: FormState, next: string): PageDocument {
  return {
    title: 'Choose a handle',
    body: html`<h1>Choose your handle</h1>
<form class="card" method="post" action="/handle">
${formProblem(form)}
<p>It is the name of your page and stands on everything you publish. It cannot be changed later.</p>
${field(form, {
  name: 'handle',
  label: 'Handle',
  autocomplete: 'nickname',
  minLength: 3,
  maxLength: 24,
  hint: '3 to 24 of a–z, 0–9 and _, starting with a letter.',
})}
${hidden('next', next)}
<button class="whole" type="submit">Take this handle</button>
</form>
<p class="below"><a href="${next}">Not now</a></p>`,
  };
}
