import type { ShownForm } from '@spaceport/contract/first-data';
import { parseName } from '../accounts/person-name.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { ownPath, pathWith } from './next-path.ts';
import { type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { emptyForm, shownAgain } from './shown-again.ts';

/** /sign-up: makes an account; the next page asks for its handle. */
export function mountSignUp(scope: PageScope, { signIn }: { signIn: SignIn }): void {
  scope.get('/sign-up', async ({ session, query }) => {
    const next = ownPath(query.next);
    return session ? { redirect: next } : signUpPage(emptyForm, next);
  });

  scope.post('/sign-up', async ({ request, form }) => {
    const { name = '', email = '', password = '' } = form;
    const next = ownPath(form.next);
    return shownAgain(
      async () => {
        const cookies = await signIn.signUp({ name: parseName(name), email, password }, visitOf(request));
        return { redirect: pathWith('/handle', { next }), cookies };
      },
      { values: { name, email }, fields: ['name', 'email', 'password'] },
      (state) => signUpPage(state, next),
    );
  });
}

function signUpPage(form: ShownForm, next: string): PageDocument {
  return { title: 'Sign up', client: { page: 'sign-up', data: { next, form } } };
}
