import type { ShownForm } from '@spaceport/contract/first-data';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { AwaitedPath } from './awaited-path.ts';
import { ownPath } from './next-path.ts';
import { type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { emptyForm, shownAgain } from './shown-again.ts';

/**
 * /reset asks for a link by mail; the link leads to /reset/new. Whoever wanted to go on from signing in to
 * another page still gets there, in the same browser.
 */
export function mountReset(
  scope: PageScope,
  { signIn, awaitedPath }: { signIn: SignIn; awaitedPath: AwaitedPath },
): void {
  scope.get('/reset', async ({ query }) => {
    const next = ownPath(query.next);
    return { ...resetPage(emptyForm, { next }), headers: awaitedPath.keep(next) };
  });

  scope.post('/reset', async ({ request, form }) => {
    const { email = '' } = form;
    const next = ownPath(form.next);
    return shownAgain(
      async () => {
        await signIn.requestReset(email, visitOf(request));
        return resetPage(emptyForm, { next, sentTo: email });
      },
      { values: { email }, fields: ['email'] },
      (state) => resetPage(state, { next }),
    );
  });

  scope.get('/reset/new', async ({ query: { token = '' } }) => newPasswordPage(emptyForm, token));

  scope.post('/reset/new', async ({ form }) => {
    const { token = '', password = '' } = form;
    return shownAgain(
      async () => {
        await signIn.reset(token, password);
        return { redirect: '/sign-in?done=reset' };
      },
      { values: {}, fields: ['password'] },
      (state) => newPasswordPage(state, token),
    );
  });
}

/** `sentTo` is the address that a link was just sent to, if such an account exists. */
function resetPage(
  form: ShownForm,
  { next, sentTo = null }: { next: string; sentTo?: string | null },
): PageDocument {
  return {
    title: sentTo === null ? 'Forgot your password' : 'Look into your mail',
    client: { page: 'reset', data: { form, sentTo, next } },
  };
}

function newPasswordPage(form: ShownForm, token: string): PageDocument {
  return { title: 'Choose a new password', client: { page: 'new-password', data: { token, form } } };
}
