import type { ShownForm } from '@spaceport/contract/first-data';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { AwaitedPath } from './awaited-path.ts';
import { ownPath } from './next-path.ts';
import { type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { emptyForm, shownAgain } from './shown-again.ts';

/** /sign-in and /sign-out. */
export function mountSignIn(
  scope: PageScope,
  { signIn, sessions, awaitedPath }: { signIn: SignIn; sessions: Sessions; awaitedPath: AwaitedPath },
): void {
  scope.get('/sign-in', async ({ request, session, query }) => {
    const isReset = query.done === 'reset';
    const next = isReset ? awaitedPath.find(request.headers) : ownPath(query.next);
    if (session) return { redirect: next };
    return signInPage(emptyForm, next, isReset);
  });

  scope.post('/sign-in', async ({ request, form }) => {
    const { email = '', password = '' } = form;
    const next = ownPath(form.next);
    return shownAgain(
      async () => ({ redirect: next, cookies: await signIn.signIn({ email, password }, visitOf(request)) }),
      { values: { email }, fields: ['email', 'password'] },
      (state) => signInPage(state, next),
    );
  });

  scope.get('/sign-out', async ({ session }) =>
    session ? { title: 'Sign out', client: { page: 'sign-out', data: null } } : { redirect: '/sign-in' },
  );

  scope.post('/sign-out', async ({ session }) => {
    if (session) await sessions.end(session.id);
    return { redirect: '/sign-in', cookies: [sessions.expiredCookie] };
  });
}

function signInPage(form: ShownForm, next: string, passwordIsNew = false): PageDocument {
  return { title: 'Sign in', client: { page: 'sign-in', data: { next, form, passwordIsNew } } };
}
