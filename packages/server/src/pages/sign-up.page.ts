import type { ShownForm } from '@spaceport/contract/first-data';
import { parseName } from '../accounts/person-name.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { ownPath, pathWith } from './next-path.ts';
import { type PageDocument, type PageScope, visitOf } from './page-scope.ts';
import { emptyForm, shownAgain } from './shown-again.ts';

/** Of a code in the address; what is longer is nobody's code. */
const maxCodeLength = 200;

/** /sign-up: makes an account; the next page asks for its handle. */
export function mountSignUp(scope: PageScope, { signIn }: { signIn: SignIn }): void {
  scope.get('/sign-up', async ({ session, query }) => {
    const next = ownPath(query.next);
    const { code = '' } = query;
    const form = { ...emptyForm, values: { code: code.slice(0, maxCodeLength) } };
    return session ? { redirect: next } : signUpPage(form, next);
  });

  scope.post('/sign-up', async ({ request, form }) => {
    const { name = '', email = '', password = '', code = '' } = form;
    const next = ownPath(form.next);
    return shownAgain(
      async () => {
        const person = { name: parseName(name), email, password, code };
        const cookies = await signIn.signUp(person, visitOf(request));
        return { redirect: pathWith('/handle', { next }), cookies };
      },
      { values: { name, email, code }, fields: ['name', 'email', 'password', 'code'] },
      (state) => signUpPage(state, next),
    );
  });
}

function signUpPage(form: ShownForm, next: string): PageDocument {
  return { title: 'Sign up', client: { page: 'sign-up', data: { next, form } } };
}
